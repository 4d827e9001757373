"""The Fourier basis: cosines of a state as the features of linear functions (Jordan et al. 2020, Appendix E).

With n inputs, dependent order d and independent order o, every input scaled to s_i = (x_i - low_i) / (high_i - low_i)
but never clipped, the features are cos(pi c.s) for

* all c in {0..d}**n, the last component running fastest: first c = 0, the feature that is 1 everywhere;
* then, for each input i in turn, c_i = d+1..o with zeros elsewhere (none if o <= d).

No cosines need be computed but those of the inputs: with z_i = exp(i pi s_i), the features of the first kind are the
real parts of an outer product,

    cos(pi c.s) = Re(left_a right_b),    left_a = z_1**c_1 ...,    right_b = ... z_n**c_n,

where `left` are the products of the first half of the inputs, `right` those of the second half, (d+1)**(n/2) each.
These are the *factors* of a state. From them, two multiplications make a feature, a few rows of the outer product at
a time where all features together are too many for the nearest cache.

    orders   int64[3]: n, d, o
    factors  float64[number_of_factors(orders)]: real and imaginary parts of left, then of right, then the features of
             the second kind
"""

import math

import numpy as np
from numba import njit

POWERS = 16
"""Most powers of an input: orders are below this."""


@njit(inline="always")
def number_of_features(dimensions, dependent, independent):
    """(d+1)**n + n max(0, o-d)."""
    return (dependent + 1) ** dimensions + dimensions * max(0, independent - dependent)


@njit(inline="always")
def new_basis(dimensions, drawn):
    """(orders, number of features, room for the powers of an input) of the basis with the orders `drawn` (float64[2]),
    d and o."""
    dependent, independent = int(drawn[0]), int(drawn[1])
    orders = np.array([dimensions, dependent, independent])
    return orders, number_of_features(dimensions, dependent, independent), np.empty((2, POWERS))


@njit(inline="always")
def rows_and_columns(orders):
    """The shape of the outer product that makes the features of the first kind."""
    dimensions, dependent = orders[0], orders[1]
    first = dimensions // 2
    return (dependent + 1) ** first, (dependent + 1) ** (dimensions - first)


@njit(inline="always")
def number_of_factors(orders):
    """The length of the array of factors."""
    rows, columns = rows_and_columns(orders)
    return 2 * (rows + columns) + orders[0] * max(0, orders[2] - orders[1])


@njit(cache=True, error_model="numpy")
def fill_factors(state, low, high, orders, powers, factors):
    """Write the factors of a state.

    Parameters
    ----------
    state, low, high : float64[n]
    orders : int64[3], n, d, o
    powers : float64[2, POWERS], scratch
    factors : float64[number_of_factors(orders)], to write to

    Returns
    -------
    the sum of the squares of all features; of the first kind it is half of (d+1)**n + Re prod_i sum_k z_i**(2 k)
    """
    dimensions, dependent, independent = orders[0], orders[1], orders[2]
    rows, columns = rows_and_columns(orders)
    cosine, sine = powers[0], powers[1]
    real, imaginary, count = 0, rows, 1
    factors[0], factors[rows] = 1.0, 0.0
    end = 2 * (rows + columns)
    product_real, product_imaginary, squares = 1.0, 0.0, 0.0
    for i in range(dimensions):
        if i == dimensions // 2:
            real, imaginary, count = 2 * rows, 2 * rows + columns, 1
            factors[real], factors[imaginary] = 1.0, 0.0
        angle = math.pi * ((state[i] - low[i]) / (high[i] - low[i]))
        x, y = math.cos(angle), math.sin(angle)
        cosine[0], sine[0] = 1.0, 0.0
        for power in range(1, max(dependent, independent) + 1):
            cosine[power] = cosine[power - 1] * x - sine[power - 1] * y
            sine[power] = cosine[power - 1] * y + sine[power - 1] * x
        sum_real, sum_imaginary = 0.0, 0.0
        for power in range(dependent + 1):
            sum_real += cosine[power] * cosine[power] - sine[power] * sine[power]
            sum_imaginary += 2.0 * cosine[power] * sine[power]
        product_real, product_imaginary = (
            product_real * sum_real - product_imaginary * sum_imaginary,
            product_real * sum_imaginary + product_imaginary * sum_real,
        )
        # Products of the `count` factors there are with the powers 0..d of this input, which runs fastest; from the
        # end, so that no product overwrites a factor that is still needed.
        for position in range(count - 1, -1, -1):
            x, y = factors[real + position], factors[imaginary + position]
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
    """Write the features of some rows of the outer product, `first`..first+rows-1, to the beginning of `features`.

    Those of the second kind come with the last row. Returns how many features were written.
    """
    all_rows, columns = rows_and_columns(orders)
    right_real = factors[2 * all_rows : 2 * all_rows + columns]
    right_imaginary = factors[2 * all_rows + columns : 2 * (all_rows + columns)]
    count = 0
    for row in range(first, first + rows):
        x, y = factors[row], factors[all_rows + row]
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
    # The constant 0 would have a type of its own, for which `fill_part` is compiled once more.
    fill_part(factors, orders, np.int64(0), rows, features)
