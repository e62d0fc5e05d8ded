"""Splitter: the folds or the splitter in the parameter `cv` of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

from sklearn.model_selection import StratifiedKFold
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping


class SplitterMixin:
    """Mixin of classifiers whose `cv` may be a splitter, which may need groups."""

    # Groups are for the splitter, see `get_metadata_routing`.
    __metadata_request__fit = {"groups": UNUSED}

    def get_metadata_routing(self):
        """Return the metadata that methods take, with those of a splitter in `cv`.

        Returns
        -------
        routing : MetadataRequest, or MetadataRouter with a splitter
            See :mod:`sklearn.utils.metadata_routing`.
        """
        if not hasattr(self.cv, "split"):
            return super().get_metadata_routing()
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )


def check_groups(cv, groups):
    """Raise an error if there are groups without a splitter in `cv` for them.

    Raises
    ------
    ValueError
    """
    if groups is not None and isinstance(cv, Integral | str | None):
        raise ValueError(
            "groups requires a splitter that uses them in the parameter cv, such as "
            f"GroupKFold(5); got cv={cv!r}."
        )


def check_fold_count(cv, labels):
    """Raise the error, or give the warning, of scikit-learn for too many folds.

    Parameters
    ----------
    cv : int, splitter, iterable, str or None
        Anything but an int is left to others.
    labels : ndarray of shape (n_samples,), int
        Classes of the samples with a positive weight.

    Raises
    ------
    ValueError
        If there are more folds than samples, or than samples of each class.

    Warns
    -----
    UserWarning
        If a class has fewer samples than there are folds.
    """
    if isinstance(cv, Integral):
        next(StratifiedKFold(int(cv)).split(labels, labels))
