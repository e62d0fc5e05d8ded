"""
====================================================================
From a kernel machine to Winnow: alpha, margin, scale, max_term_size
====================================================================

With small steps, the classifier approximates a kernel machine: every :term:`term`
contributes a little to each score. With large steps, it is Winnow: a few top-weighted
terms dominate. The parameters `alpha` and `margin`, or `scale`, control the step size.
The parameter `max_term_size` limits the number of features in an interaction. This
example shows the effects of these parameters on two data sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
# sphinx_gallery_thumbnail_number = 2

# %%
# The limit of small steps
# ------------------------
# The weight of a term is :math:`\beta^{|S|} \alpha^{\varphi(S)}`. If :math:`\varphi(S)
# \ln \alpha` is small for all terms, the weight is about :math:`\beta^{|S|} (1 +
# \varphi(S) \ln \alpha)`. The difference of the scores of two classes is then a sum
# over the :term:`stored examples <stored example>` :math:`u`,
#
# .. math::
#
#    \log W_1 - \log W_0 \approx \ln \alpha \sum_u (c_{1u} - c_{0u}) \,
#    (1 + \beta)^{a_u - n} .
#
# Here :math:`c_{1u}` and :math:`c_{0u}` are the :term:`net promotion counts <net
# promotion count>` of the stored example for the two classes. The stored example agrees
# with the sample in :math:`a_u` of :math:`n` features. This is a kernel expansion. The
# kernel is the RBF kernel of one-hot encoded features, with :math:`\gamma = \frac{1}{2}
# \ln (1 + \beta)`. The figure compares both sides for three values of `alpha`. The
# margin is always the same number of steps; it is 0.5 for ``alpha=1.1``.

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana, load_tic_tac_toe
from sklearn_dnfwinnow.inspection import terms

X_toe, y_toe = load_tic_tac_toe(return_X_y=True, as_frame=True)


def margin_of(alpha):
    """Return the margin with the number of steps that is 0.5 for alpha=1.1."""
    return float(0.5 / np.log(1.1) * np.log(alpha))


def kernel_expansion(clf, codes):
    """Return the expansion of each sample, with the codes of `stored_examples_`."""
    agreements = (codes[:, None] == clf.stored_examples_).sum(axis=2)
    kernel = (1 + clf.literal_weight_) ** (agreements - codes.shape[1])
    steps = (
        clf.net_promotion_counts_[1] - clf.net_promotion_counts_[0]
    ) / clf.denominator_
    return np.log(clf.alpha_) * kernel @ steps


alphas = [1.001, 1.1, 1.5]
models = {}
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, alpha in zip(axes, alphas):
    clf = DNFWinnowClassifier(
        alpha=alpha,
        margin=margin_of(alpha),
        max_term_size=None,
        cv=None,
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
# For `alpha` near 1, both sides are equal. With larger `alpha`, a few terms contribute
# more of each sum. Each sum has 512 terms. The following figures are the
# :term:`relative contributions <relative contribution>` of the eight top-weighted
# terms, averaged over the boards that x has won. These boards were used in training,
# so a warning says that precision and recall, which are not used here, are optimistic.

for alpha, clf in models.items():
    heaviest = terms(clf, "positive", 8, X=X_toe, y=y_toe, details=True)
    print(f"alpha = {alpha:<5}  {heaviest['share'].sum():.2f}")

# %%
# Two data sets
# -------------
# The lines of tic-tac-toe are rules of three :term:`literals <literal>`, without
# exceptions. In the breast cancer data, no feature is a strong predictor of recurrence,
# and some equal samples have different classes. The figure shows the log loss of the
# :term:`internal cross-validation` for six values of `alpha` and four values of
# `scale`, each with terms of up to 1, 2 and 3 literals. Each setting is fitted
# separately, because `fit` would stop training candidates that fall behind after a
# few epochs.

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
    ax.set_ylabel("lowest cross-validated log loss")
axes[0, 1].legend()
plt.show()

# %%
# **alpha**, with a margin of a fixed number of steps: the kernel machine is on the
# left, and Winnow is on the right. Small steps are slightly better for breast cancer.
# Tic-tac-toe needs terms of three literals and large steps. Shorter terms cannot
# represent a line; with them, small steps are best.
#
# **scale**: residuals are those of the softmax of scale * log W, so one promotion
# changes the log-odds by up to scale * ln(alpha). With a small scale, a single sample
# changes little, which is better for breast cancer. With a large scale, small
# differences between the sums of the classes suffice. Many terms then contribute to the
# difference, as in the kernel machine; on tic-tac-toe, this is best for terms of one or
# two literals. Small steps with a large scale require `alpha` near 1.
#
# **max_term_size** matters little for breast cancer, but is decisive for tic-tac-toe.
#
# No setting is best for both data sets. By default, `fit` selects the setting by
# internal cross-validation. See
# :ref:`sphx_glr_auto_examples_parameters_plot_choosing.py`.
