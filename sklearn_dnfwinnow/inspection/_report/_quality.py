"""Quality: errors and probabilities on the test rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.metrics import log_loss

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.inspection._report._page import (
    Part,
    count,
    number_table,
    percent,
)
from sklearn_dnfwinnow.inspection._report._pictures import picture
from sklearn_dnfwinnow.rules._statistics import wilson_interval

CONFIDENCE = 0.95
# Groups of probabilities of equal width in the calibration curve.
_GROUPS = 10
# More classes have a list of mistakes instead of a table.
_MOST_CLASSES, _MOST_MISTAKES = 10, 20
_UNKNOWN = "(not in training)"


def quality_part(subject):
    """Return the part about errors, probabilities and mistakes."""
    part = Part("quality", "Quality on the test rows")
    _write_errors(part, subject)
    part.heading("Calibration: are the probabilities right?")
    _write_calibration(part, subject)
    part.heading("Confusion: which classes are mistaken for which?")
    _write_confusion(part, subject)
    return part


def _write_errors(part, subject):
    """Write error and log loss."""
    n = subject.n_test
    n_wrong = n - int(subject.right.sum())
    low, high = wilson_interval(n_wrong / n, n, CONFIDENCE)
    known = subject.actual >= 0
    counts = np.array(subject.counts["test"])
    usual = counts.argmax()
    rows = [
        (
            "error",
            f"{percent(n_wrong / n)} ({n_wrong:,} of {count(n, 'row')} predicted "
            f"wrongly); 95 % interval {percent(low)} to {percent(high)}",
        ),
        (
            "error of always predicting " + shown(subject.classes[usual]),
            percent(1 - counts[usual] / n),
        ),
    ]
    if known.any():
        loss = log_loss(
            subject.actual[known],
            subject.probabilities[known],
            labels=np.arange(len(subject.classes)),
        )
        shares = counts[counts > 0] / counts.sum()
        rows += [
            ("log loss", f"{loss:.4f}"),
            (
                "log loss of always predicting the shares of the classes",
                f"{-(shares @ np.log(shares)):.4f}",
            ),
        ]
    part.paragraph(
        "The error is the fraction of the test rows whose predicted class is wrong. "
        "The interval (by Wilson's method) shows how far the error of other test rows "
        "may differ by chance: more test rows make it narrower. The log loss measures "
        "the probabilities: it is 0 for certain and right predictions, and large for "
        "certain and wrong ones."
    )
    part.facts(rows)
    if n_unknown := n - int(known.sum()):
        have = "has a class" if n_unknown == 1 else "have classes"
        part.paragraph(
            f"{count(n_unknown, 'test row')} {have} that the training rows did not "
            "have. They count as errors, and are left out of the log loss and of the "
            "calibration."
        )


def calibration(subject):
    """Return the groups of a calibration curve.

    Of two classes it refers to the probability of the second one, and otherwise to that
    of the predicted class.

    Returns
    -------
    means, shares : ndarrays of shape (n_groups,), float64
        Mean probability of the rows in a group, and the fraction in the class. Empty
        groups are left out.
    counts : ndarray of shape (n_groups,), int
    """
    known = subject.actual >= 0
    if len(subject.classes) == 2:
        chances, is_so = subject.probabilities[:, 1], subject.actual == 1
    else:
        every = np.arange(subject.n_test)
        chances, is_so = subject.probabilities[every, subject.predicted], subject.right
    chances, is_so = chances[known], is_so[known]
    shares, means = calibration_curve(is_so, chances.clip(0.0, 1.0), n_bins=_GROUPS)
    ends = np.linspace(0.0, 1.0, _GROUPS + 1)[1:-1]
    groups = np.searchsorted(ends, chances)
    return means, shares, np.unique(groups, return_counts=True)[1]


def _write_calibration(part, subject):
    """Write the calibration curve as a picture and as a table."""
    if (subject.actual < 0).all():
        part.paragraph("No test row has a class that is known from training.")
        return
    means, shares, counts = calibration(subject)
    what = "the predicted class"
    if len(subject.classes) == 2:
        what = f"class {shown(subject.classes[1])}"
    lows, highs = wilson_interval(shares, counts, CONFIDENCE)

    def draw():
        drawn = CalibrationDisplay(shares, means, means).plot(
            label="with 95 % intervals"
        )
        errors = np.abs([shares - lows, highs - shares])
        drawn.ax_.errorbar(means, shares, errors, fmt="none")
        drawn.ax_.set(xlabel="mean probability", ylabel="fraction of rows")
        return drawn

    part.paragraph(
        f"Test rows with similar probabilities of {what} are grouped. Points on the "
        "dotted line are right: of the rows with a probability of 80 %, about 80 % are "
        "of this class. Vertical lines are 95 % intervals."
    )
    curve = picture(
        f"Calibration curve of {what}",
        draw=draw,
        alternative="Calibration curve, with the numbers of the table.",
    )
    rows = [
        (
            percent(mean),
            percent(share),
            # On one line.
            f"{100 * low:.0f} to {percent(high, 0)}".replace(" ", "\N{NO-BREAK SPACE}"),
            f"{n:,}",
        )
        for mean, share, low, high, n in zip(means, shares, lows, highs, counts)
    ]
    heads = ["mean probability", "fraction", "95 % interval", "rows"]
    part.pictures([curve, number_table(heads, rows)])


def confusion(subject):
    """Return the numbers of test rows by true and predicted class.

    Returns
    -------
    counts : ndarray of shape (n_classes + 1, n_classes), int
        The last row is for classes that training did not have.
    """
    n_classes = len(subject.classes)
    counts = np.zeros((n_classes + 1, n_classes), dtype=np.int64)
    np.add.at(counts, (subject.actual, subject.predicted), 1)
    return counts


def _write_confusion(part, subject):
    """Write the confusion matrix, or the most frequent mistakes of many classes."""
    counts, classes = confusion(subject), subject.classes
    names = [*map(shown, classes), _UNKNOWN]
    if len(classes) <= _MOST_CLASSES:
        rows = [
            [names[k], *(f"{n:,}" for n in counts[k])]
            for k in range(len(names))
            if k < len(classes) or counts[k].any()
        ]
        part.paragraph(
            "Each line is a true class, and each column a predicted one. Rows on the "
            "diagonal are predicted correctly."
        )
        heads = ["true class", *(f"→ {name}" for name in names[:-1])]
        part.numbers(heads, rows, kind="numbers names")
        return
    np.fill_diagonal(counts, 0)
    order = np.argsort(-counts, axis=None, kind="stable")[:_MOST_MISTAKES]
    places = zip(*np.unravel_index(order, counts.shape))
    rows = [
        (names[i], names[j], f"{counts[i, j]:,}") for i, j in places if counts[i, j]
    ]
    part.paragraph(f"The most frequent mistakes, of {len(classes)} classes:")
    part.numbers(["true class", "predicted class", "rows"], rows)
