"""The state of a sampler: its name, or the name with its parameters."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._json_values import check, check_keys, storable
from sklearn_dnfwinnow.samplers import SAMPLERS, Auto, Gibbs
from sklearn_dnfwinnow.samplers._registry import sampler_of

# Parameters of the classifier in versions before samplers were objects.
_FORMER = {**Auto().get_params(), **Gibbs().get_params()}


def get_state(sampler):
    """Return a sampler as plain values.

    Parameters
    ----------
    sampler : str or Sampler

    Raises
    ------
    TypeError
        If its class is not in the registry.
    """
    if isinstance(sampler, str):
        return storable(sampler, "Parameter sampler is")
    name = sampler.name
    if SAMPLERS.get(name) is not type(sampler):
        raise TypeError(
            f"sampler must be one of {', '.join(map(repr, SAMPLERS))}, or an object of "
            f"these classes; got {sampler!r}."
        )
    own = sampler.get_params(deep=False)
    parameters = {
        key: storable(value, f"Parameter {key} of the sampler is")
        for key, value in own.items()
    }
    return {"name": name, **parameters}


def sampler_of_state(state):
    """Check and return the sampler from the result of `get_state`.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    if type(state) is not dict:
        return state
    name = state.get("name")
    known = type(name) is str and name in SAMPLERS
    check(known, f"a name among {list(SAMPLERS)}", name)
    cls = SAMPLERS[name]
    check_keys(state, ("name", *cls().get_params()), "a sampler")
    sampler = cls(**{key: value for key, value in state.items() if key != "name"})
    return sampler_of(sampler)


def without_former(parameters):
    """Return parameters of a classifier with those of its sampler in one place.

    Earlier versions saved them beside the name of the sampler. Parameters that the
    sampler did not use are dropped.
    """
    if type(parameters) is not dict or not _FORMER.keys() <= parameters.keys():
        return parameters
    kept = {key: value for key, value in parameters.items() if key not in _FORMER}
    name = kept.get("sampler")
    if type(name) is str and name in SAMPLERS:
        own = {key: parameters[key] for key in SAMPLERS[name]().get_params()}
        if any(value != _FORMER[key] for key, value in own.items()):
            kept["sampler"] = {"name": name, **own}
    return kept
