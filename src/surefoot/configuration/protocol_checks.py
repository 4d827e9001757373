"""Whether the scores of a study can be compared: told from its protocol alone, before there are runs."""

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.places import Locate
from surefoot.configuration.protocol import Protocol
from surefoot.errors import shown
from surefoot.protocol.card import MOST, cards, contradictions, unlike_fields
from surefoot.protocol.sentences import NOT_COMPARED, differences


def check_protocol(protocol: Protocol, locate: Locate) -> None:
    """Raise an InputError for algorithms that the logs do not have, for what the author tells against the logs, for
    ranges that end before they begin, and for unlike protocols that nobody asked to be compared.

    Parameters
    ----------
    locate : the place of a key below the protocol
    """
    plain = protocol.plain()
    for name in protocol.algorithms if protocol.logs else ():
        if name not in protocol.logs:
            what = f'"{name}" is not an algorithm of the logs'
            raise InputError(locate("algorithms", name), what, nearest(name, protocol.logs))
    for keys, told in (
        ((), protocol),
        *((("algorithms", name), one) for name, one in protocol.algorithms.items()),
        *((("logs", name), one) for name, one in protocol.logs.items()),
    ):
        for least, most in MOST.items():
            fewest, greatest = getattr(told, least, None), getattr(told, most, None)
            if greatest is not None and (fewest is None or greatest < fewest):
                raise InputError(locate(*keys, most), f"{greatest} is not above {least}", f"{least} at most {greatest}")
    for name, field, said, read in contradictions(plain):
        told_of_one = field in plain.get("algorithms", {}).get(name, {})
        where = locate(*(("algorithms", name) if told_of_one else ()), field)
        what = f"{shown(said)} is told of {name}, and its logs say {shown(read)}"
        raise InputError(where, what, "leave it out: what the logs say is shown")
    found = cards(plain)
    unlike = unlike_fields(list(found.values()))
    if unlike and protocol.unlike == "error":
        what = f"{NOT_COMPARED}: {differences(found, unlike)}"
        raise InputError(locate(), what, "score all alike, or unlike: remark, which the page then says everywhere")
