"""A Pipeline of the package's estimators as a dict."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.pipeline import Pipeline

from sklearn_dnfwinnow._utils._json_values import check, check_keys


def pipeline_to_dict(pipeline, to_dict):
    """Return the steps of a Pipeline.

    `to_dict` converts an estimator, and takes the name of its step for messages.
    """
    steps = []
    for name, step in pipeline.steps:
        idle = step is None or (isinstance(step, str) and step == "passthrough")
        steps.append([name, "passthrough" if idle else to_dict(step, name)])
    return {"steps": steps}


def pipeline_from_dict(state, from_dict):
    """Return the Pipeline from the result of `pipeline_to_dict`."""
    check_keys(state, ("steps",), "a Pipeline")
    steps = state["steps"]
    check(type(steps) is list and steps, "a list of steps", steps)
    for step in steps:
        right = type(step) is list and len(step) == 2 and type(step[0]) is str
        check(right, "steps of a name and an estimator", step)
        right = type(step[1]) is dict or step[1] == "passthrough"
        check(right, "steps that are estimators", step)
    names = [name for name, _ in steps]
    right = len(set(names)) == len(names) and not any("__" in name for name in names)
    right = right and not {*names} & {*Pipeline(steps).get_params(deep=False)}
    check(right, "distinct names of steps, without '__' and no parameters", names)
    pipeline = Pipeline(
        [
            (name, step if step == "passthrough" else from_dict(step, name))
            for name, step in steps
        ]
    )
    for name, step in pipeline.steps[:-1]:
        right = isinstance(step, str) or hasattr(step, "transform")
        check(right, "a classifier as the last step", name)
    return pipeline
