"""BiCGStab (van der Vorst 1992) for linear systems whose matrix is known by its product with a vector.

Compiled, and for any matrix: an operator is a NamedTuple of what its product needs, and an `overload` of `product` for
its type says how.
"""

import numpy as np
from numba import njit


def product(operator, x, out):
    """out = A x, float64[size] each, where A is what `operator` stands for. Compiled code only; see `overload`."""
    raise NotImplementedError(f"no product is known for {type(operator).__name__}")


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def inner(x, y):
    """Inner product of x and y, float64[size] each."""
    total = 0.0
    for s in range(x.size):
        total += x[s] * y[s]
    return total


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def _advance(step, direction, image, x, residual):
    """x += step direction, then residual -= step image; the residual's 1-norm. direction may be the residual."""
    norm = 0.0
    for s in range(x.size):
        x[s] += step * direction[s]
        residual[s] -= step * image[s]
        norm += abs(residual[s])
    return norm


@njit(cache=True, nogil=True, error_model="numpy")
def improve(operator, x, residual, target, iterations):
    """Improve the solution x of A x = b in place.

    Ends when the residual's 1-norm is at most `target`, after so many iterations, or when it breaks down and x is no
    number. The residual is carried along in place and drifts: the caller computes it anew and may call again.

    Parameters
    ----------
    operator : what `product` takes for A
    x, residual : float64[size] each, a first guess and b - A x
    """
    direction, shadow = residual.copy(), residual.copy()
    image, image_of_residual = np.empty(x.size), np.empty(x.size)
    rho = inner(shadow, residual)
    for _ in range(iterations):
        product(operator, direction, image)
        alpha = rho / inner(shadow, image)
        if not _advance(alpha, direction, image, x, residual) > target:
            return
        product(operator, residual, image_of_residual)
        omega = inner(image_of_residual, residual) / inner(image_of_residual, image_of_residual)
        for s in range(x.size):
            direction[s] -= omega * image[s]
        if not _advance(omega, residual, image_of_residual, x, residual) > target:
            return
        rho, previous = inner(shadow, residual), rho
        for s in range(x.size):
            direction[s] = residual[s] + rho / previous * alpha / omega * direction[s]
