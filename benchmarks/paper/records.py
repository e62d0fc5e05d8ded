"""Records: results of tasks in a CSV file, one line a task, so that runs can resume."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import csv

from joblib import Parallel, delayed
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn


class Records:
    """Results of tasks, on file.

    A task is a dict of what it is about; its result is a dict of what came out. Both
    make a line, and a task that has one is not run again.

    Parameters
    ----------
    path : Path
        The CSV file, made if it is not there.
    """

    def __init__(self, path):
        self.path = path

    def read(self):
        """All lines there are, as dicts of numbers, where they are, and strings."""
        if not self.path.exists():
            return []
        with open(self.path, newline="") as file:
            return [
                {key: _number(value) for key, value in row.items()}
                for row in csv.DictReader(file)
            ]

    def complete(self, run, tasks, n_jobs):
        """Run what is missing, each line written as it comes; all lines of the tasks.

        Parameters
        ----------
        run : callable
            From the items of a task to its result.
        tasks : list of dict
        n_jobs : int
        """
        done = {_key(row, task): row for row in self.read() for task in tasks[:1]}
        missing = [task for task in tasks if _key(task, task) not in done]
        if missing:
            self._run(run, missing, n_jobs)
            done = {_key(row, task): row for row in self.read() for task in tasks[:1]}
        return [done[_key(task, task)] for task in tasks]

    def _run(self, run, tasks, n_jobs):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        bar = Progress("{task.description}", BarColumn(), MofNCompleteColumn(),
                       TimeRemainingColumn())  # fmt: skip
        with open(self.path, "a", newline="") as file, bar:
            shown = bar.add_task(self.path.stem, total=len(tasks))
            results = Parallel(n_jobs, return_as="generator_unordered")(
                delayed(_line)(run, task) for task in tasks
            )
            for line in results:
                writer = csv.DictWriter(file, line, lineterminator="\n")
                if is_new:
                    writer.writeheader()
                    is_new = False
                writer.writerow(line)
                file.flush()
                bar.advance(shown)


def _line(run, task):
    return {**task, **run(**task)}


def _key(row, task):
    """What tells a task from others of the same kind."""
    return tuple(str(_number(str(row[name]))) for name in task)


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
