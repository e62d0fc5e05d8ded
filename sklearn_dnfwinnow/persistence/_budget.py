"""Budget: the memory and the steps that a file may require beyond its own length."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class Budget:
    """Limits that the reader of a file sets, checked before memory is allocated.

    Most parts of a file are read into arrays that are at most in proportion to their
    text. The readers of all other parts call `take` first.

    Parameters
    ----------
    max_bytes : float
    max_steps : float
        Elementary steps, which take from 1 to 100 nanoseconds.
    """

    def __init__(self, max_bytes, max_steps):
        self.max_bytes, self.max_steps = max_bytes, max_steps
        self._n_bytes = self._n_steps = 0

    @property
    def bytes_left(self):
        """Return the number of bytes that can still be taken."""
        return self.max_bytes - self._n_bytes

    def take(self, what, n_bytes=0, n_steps=0):
        """Take bytes and steps for a purpose.

        Raises
        ------
        ValueError
            If the total exceeds a limit.
        """
        self._n_bytes += n_bytes
        self._n_steps += n_steps
        for name, most, value, unit in (
            ("max_bytes", self.max_bytes, self._n_bytes, "bytes of memory"),
            ("max_steps", self.max_steps, self._n_steps, "steps"),
        ):
            if value > most:
                raise ValueError(
                    f"The file allows up to {float(value):.3g} {unit} for {what}, but "
                    f"the limit is {name}={most:.3g}. Increase {name} if you trust the "
                    "author of the model."
                )
