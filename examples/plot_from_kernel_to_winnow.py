"""
=============================================
One learner, from a kernel machine to Winnow
=============================================

With small steps the classifier is a kernel machine: all terms have a small part in each
score. With large steps it is Winnow: a few heavy terms decide. `alpha`, and `margin` or
`scale`, lead from one to the other; `max_term_size` says how many attributes may act
together. This page shows what they do to two tables.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
# sphinx_gallery_thumbnail_number = 2

# %%
# The limit of small steps
# ------------------------
# A term's weight is :math:`\beta^{|S|} \alpha^{\varphi(S)}`. If
# :math:`\varphi(S) \ln \alpha` is small for all terms, the weight is about
# :math:`\beta^{|S|} (1 + \varphi(S) \ln \alpha)`. The difference of the scores of two
# classes is then a sum over the updates :math:`u`,
#
# .. math::
#
#    \log W_1 - \log W_0 \approx \ln \alpha \sum_u (c_{1u} - c_{0u}) \,
#    (1 + \beta)^{a_u - n} ,
#
# with :math:`a_u` of :math:`n` attributes on which the update agrees with the row. This
# is a kernel expansion. The kernel is the RBF kernel of one-hot columns, with
# :math:`\gamma = \frac{1}{2} \ln (1 + \beta)`. Below, both sides are compared for three
# values of `alpha`. The margin is that number of steps which is 0.5 for ``alpha=1.1``.

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana, load_tic_tac_toe
from sklearn_dnfwinnow.inspection import terms

X_toe, y_toe = load_tic_tac_toe(return_X_y=True, as_frame=True)


def margin_of(alpha):
    """Return the margin of as many steps as make 0.5 for alpha=1.1."""
    return float(0.5 / np.log(1.1) * np.log(alpha))


def kernel_expansion(clf, codes):
    """Return the expansion of each row; codes are those of `updates_`."""
    agreements = (codes[:, None] == clf.updates_).sum(axis=2)
    kernel = (1 + clf.term_prior_) ** (agreements - codes.shape[1])
    steps = (clf.exponents_[1] - clf.exponents_[0]) / clf.denominator_
    return np.log(clf.alpha_) * kernel @ steps


alphas = [1.001, 1.1, 1.5]
models = {}
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, alpha in zip(axes, alphas):
    clf = DNFWinnowClassifier(
        alpha=alpha,
        margin=margin_of(alpha),
        max_term_size=None,
        n_folds=None,
        max_iter=10,
        random_state=0,
    ).fit(X_toe, y_toe)
    codes = np.column_stack(
        [
            np.searchsorted(values, X_toe[column]) + 1
            for values, column in zip(clf.categories_, X_toe)
        ]
    )
    ax.axline((0, 0), slope=1, color="0.6", linewidth=1)
    ax.plot(kernel_expansion(clf, codes), clf.decision_function(X_toe), ".", ms=3)
    ax.set(title=f"alpha = {alpha}", xlabel="kernel expansion")
    models[alpha] = clf
axes[0].set_ylabel("log W1 - log W0")
plt.show()

# %%
# Near 1 they are the same. The larger `alpha`, the more of each sum is in a few terms.
# Each sum is over 512 terms. These are the shares of the eight heaviest, in the mean
# over the boards that x has won:

for alpha, clf in models.items():
    heaviest = terms(clf, "positive", 8, X=X_toe, y=y_toe)
    print(f"alpha = {alpha:<5}  {heaviest['share'].sum():.2f}")

# %%
# Two tables
# ----------
# The lines of tic-tac-toe are rules of three literals without an exception. In the
# table of breast cancer patients no attribute says much about a recurrence, and some
# equal rows have different classes. Below are the log losses of the folds for six
# values of `alpha`, and for four of `scale`, each with terms of up to 1, 2 and 3
# literals. Each is a fit of its own: among `candidates` of one fit, those that fall
# behind would be dropped after a few epochs.

tables = {
    "breast cancer": load_breast_cancer_ljubljana(return_X_y=True, as_frame=True),
    "tic-tac-toe": (X_toe, y_toe),
}
sizes = (1, 2, 3)
lines = {
    "alpha, with updates by margin": {
        alpha: {"alpha": alpha, "margin": margin_of(alpha)}
        for alpha in (1.003, 1.01, 1.03, 1.1, 1.3, 2.0)
    },
    "scale, with updates by residual": {
        scale: {"alpha": 1.1, "scale": scale} for scale in (1, 3, 10, 30)
    },
}
fig, axes = plt.subplots(2, 2, figsize=(8.5, 6.4), layout="constrained")
for column, (name, (X, y)) in zip(axes.T, tables.items()):
    for ax, (label, settings) in zip(column, lines.items()):
        for size in sizes:
            losses = []
            for setting in settings.values():
                clf = DNFWinnowClassifier(
                    **setting, max_term_size=size, max_iter=64, random_state=0
                )
                losses.append(clf.fit(X, y).validation_["log_loss"].min())
            ax.plot(range(len(losses)), losses, ".-", label=f"max_term_size={size}")
        ax.set_xticks(range(len(settings)), [f"{value:g}" for value in settings])
        ax.set_xlabel(label)
    column[0].set_title(name)
for ax in axes[:, 0]:
    ax.set_ylabel("least log loss of the folds")
axes[0, 1].legend()
plt.show()

# %%
# **alpha**, with a margin of the same number of steps, leads from the kernel machine on
# the left to Winnow on the right. Breast cancer does a little better with small steps.
# Tic-tac-toe wants terms of three literals and large steps; with shorter terms, which
# cannot say what a line is, small steps do best.
#
# **scale**: residuals are those of the softmax of scale * log W, so one promotion moves
# log-odds by up to scale * ln(alpha). With a small scale a single row moves little,
# which suits breast cancer. With a large scale it is enough that the sums of the
# classes differ by little. Then many terms have a part in the difference, as in the
# kernel machine; terms of one or two literals do best so on tic-tac-toe. Where a large
# scale is to take small steps, `alpha` has to be near 1.
#
# **max_term_size** matters little for breast cancer, and decides for tic-tac-toe.
#
# No setting is best for both tables: by default `fit` chooses by folds. See
# :ref:`sphx_glr_auto_examples_plot_choosing.py`.
