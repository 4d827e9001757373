"""Fourier basis: cosines of a state as features of linear functions (Jordan et al. 2020, Appendix E).

There are n inputs, a dependent order d and an independent order o. Inputs are scaled to s_i = (x_i - low_i) / (high_i -
low_i) but not clipped. The features are cos(pi c.s) for

* all c in {0..d}**n, with the last component varying fastest; the first is c = 0, a constant feature of 1;
* then, for each input i in turn, c_i = d+1..o with zeros elsewhere (empty if o <= d).

Cosines are computed only for the inputs. With z_i = exp(i pi s_i), the features of the first kind are the real parts of
an outer product,

    cos(pi c.s) = Re(left_a right_b),    left_a = z_1**c_1 ...,    right_b = ... z_n**c_n,

where `left` contains the products for the first half of the inputs and `right` those for the second half, (d+1)**(n/2)
each. These are the *factors* of a state. Two multiplications per feature suffice. If all features together do not fit
the L1 cache, a few rows of the outer product are computed at a time.

    orders   int64[3]: n, d, o
    factors  float64[number_of_factors(orders)]: real and imaginary parts of left, then of right, then the features of
             the second kind
"""

import math

import numpy as np
from numba import njit

POWERS = 16
"""Number of precomputed powers of an input; orders must be smaller."""


@njit(inline="always")
def number_of_features(dimensions, dependent, independent):
    """Return (d+1)**n + n max(0, o-d)."""
    return (dependent + 1) ** dimensions + dimensions * max(0, independent - dependent)


@njit(inline="always")
def new_basis(dimensions, drawn):
    """Create a basis with the orders d and o in `drawn` (float64[2]).

    Returns
    -------
    orders, number of features, and scratch space for the powers of an input
    """
    dependent = int(drawn[0])
    independent = int(drawn[1])
    orders = np.array([dimensions, dependent, independent])
    return orders, number_of_features(dimensions, dependent, independent), np.empty((2, POWERS))


@njit(inline="always")
def rows_and_columns(orders):
    """Return the shape of the outer product for the features of the first kind."""
    dimensions = orders[0]
    dependent = orders[1]
    first = dimensions // 2
    return (dependent + 1) ** first, (dependent + 1) ** (dimensions - first)


@njit(inline="always")
def number_of_factors(orders):
    """Return the length of the array of factors."""
    rows, columns = rows_and_columns(orders)
    return 2 * (rows + columns) + orders[0] * max(0, orders[2] - orders[1])


@njit(cache=True, error_model="numpy")
def fill_factors(state, low, high, orders, powers, factors):
    """Compute the factors of a state, whose products are its features (see the module docstring).

    Parameters
    ----------
    state, low, high : float64[n]
    orders : int64[3]
        n, d, o.
    powers : float64[2, POWERS]
        Scratch space.
    factors : float64[number_of_factors(orders)]
        Output.

    Returns
    -------
    The sum of the squares of all features. For the features of the first kind, it is half of
    (d+1)**n + Re prod_i sum_k z_i**(2 k).
    """
    dimensions = orders[0]
    dependent = orders[1]
    independent = orders[2]
    rows, columns = rows_and_columns(orders)
    cosine = powers[0]
    sine = powers[1]
    real = 0
    imaginary = rows
    count = 1
    factors[0] = 1.0
    factors[rows] = 0.0
    end = 2 * (rows + columns)
    product_real = 1.0
    product_imaginary = 0.0
    squares = 0.0
    for i in range(dimensions):
        if i == dimensions // 2:
            real = 2 * rows
            imaginary = 2 * rows + columns
            count = 1
            factors[real] = 1.0
            factors[imaginary] = 0.0
        angle = math.pi * ((state[i] - low[i]) / (high[i] - low[i]))
        x = math.cos(angle)
        y = math.sin(angle)
        cosine[0] = 1.0
        sine[0] = 0.0
        for power in range(1, max(dependent, independent) + 1):
            cosine[power] = cosine[power - 1] * x - sine[power - 1] * y
            sine[power] = cosine[power - 1] * y + sine[power - 1] * x
        sum_real = 0.0
        sum_imaginary = 0.0
        for power in range(dependent + 1):
            sum_real += cosine[power] * cosine[power] - sine[power] * sine[power]
            sum_imaginary += 2.0 * cosine[power] * sine[power]
        product_real, product_imaginary = (
            product_real * sum_real - product_imaginary * sum_imaginary,
            product_real * sum_imaginary + product_imaginary * sum_real,
        )
        # Multiply the existing `count` factors by the powers 0..d of this input, which runs fastest. Start at the end,
        # so that no product overwrites a factor that is still needed.
        for position in range(count - 1, -1, -1):
            x = factors[real + position]
            y = factors[imaginary + position]
            for power in range(dependent, -1, -1):
                to = position * (dependent + 1) + power
                factors[real + to] = x * cosine[power] - y * sine[power]
                factors[imaginary + to] = x * sine[power] + y * cosine[power]
        count *= dependent + 1
        for power in range(dependent + 1, independent + 1):
            factors[end] = cosine[power]
            squares += cosine[power] * cosine[power]
            end += 1
    return squares + 0.5 * (rows * columns + product_real)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def fill_part(factors, orders, first, rows, features):
    """Write the features of the rows `first`..first+rows-1 of the outer product to the beginning of `features`.

    Features of the second kind follow the last row. Returns the number of features written.
    """
    all_rows, columns = rows_and_columns(orders)
    right_real = factors[2 * all_rows : 2 * all_rows + columns]
    right_imaginary = factors[2 * all_rows + columns : 2 * (all_rows + columns)]
    count = 0
    for row in range(first, first + rows):
        x = factors[row]
        y = factors[all_rows + row]
        out = features[count : count + columns]
        for column in range(columns):
            out[column] = x * right_real[column] - y * right_imaginary[column]
        count += columns
    if first + rows == all_rows:
        for position in range(2 * (all_rows + columns), len(factors)):
            features[count] = factors[position]
            count += 1
    return count


@njit(inline="always")
def fill_features(factors, orders, features):
    """Write all features of a state to `features` (float64[number_of_features(n, d, o)]), given its factors."""
    rows, _ = rows_and_columns(orders)
    # Numba gives the constant 0 its own type, and would compile `fill_part` again for it.
    fill_part(factors, orders, np.int64(0), rows, features)
