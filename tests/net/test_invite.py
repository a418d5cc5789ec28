"""Invites: one word, read however it was pasted, and refused with a reason where it is damaged."""

from __future__ import annotations

import ipaddress
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hocp2p.errors import LocalError
from hocp2p.net.address import Address
from hocp2p.net.invite import PREFIX, Invite, _checksum, _format_base32, format_invite, is_invite, parse_invite

LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
INVITE: Final = Invite(Address("203.0.113.7", 7411), bytes(range(16)), bytes(range(100, 110)))
TEXT: Final = format_invite(INVITE)

names = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?(\.[A-Z]([a-z0-9]{0,10}))?", fullmatch=True)
hosts = st.ip_addresses().map(str) | names
addresses = st.builds(Address, hosts.filter(lambda host: "%" not in host), st.integers(1, 65_535))
invites = st.builds(Invite, addresses, st.binary(min_size=16, max_size=16), st.binary(min_size=10, max_size=10))


def refused(text: str) -> str:
    """The code; the sentence holds no secret."""
    with pytest.raises(LocalError) as caught:
        parse_invite(text)
    assert TEXT[-16:-4] not in caught.value.message
    return caught.value.code


@given(invites)
def test_round_trip(invite: Invite) -> None:
    text = format_invite(invite)
    assert parse_invite(text) == invite
    assert is_invite(text)
    assert text.startswith(PREFIX)
    assert set(text.removeprefix(PREFIX)) <= set(LETTERS)


def test_sizes() -> None:
    assert len(TEXT) == 61
    assert len(f" hocp2p join {TEXT}") <= 80
    ipv6 = Invite(Address("2001:db8::7", 7411), INVITE.pin, INVITE.secret)
    assert len(format_invite(ipv6)) == 81


def test_bytes_as_documented() -> None:
    body = bytes([1, 203, 0, 113, 7, 7411 >> 8, 7411 & 255]) + INVITE.pin + INVITE.secret
    assert PREFIX + _format_base32(body + _checksum(body)) == TEXT
    bits = "".join(f"{byte:08b}" for byte in body + _checksum(body))
    assert PREFIX + "".join(LETTERS[int(bits[start : start + 5], 2)] for start in range(0, len(bits), 5)) == TEXT


def test_the_secret_is_not_shown() -> None:
    assert repr(INVITE.secret) not in repr(INVITE)
    assert "secret" not in repr(INVITE)


@pytest.mark.parametrize(
    "text",
    [
        TEXT.upper(),
        f"  {TEXT}\n",
        f"hocp2p join {TEXT}",
        f"$ hocp2p join {TEXT}",
        f"python -m hocp2p join   {TEXT}",
        f'"{TEXT}"',
        f"<{TEXT}>",
        f"`hocp2p join {TEXT}`",
        f"«{TEXT}».",
        f"hocp2p join '{TEXT}'",
        TEXT.replace("-", ""),
        TEXT.replace("-", " "),
        TEXT.replace("-", "–"),
        "-".join(TEXT[start : start + 4] for start in range(0, 61, 4)).replace("hoc1--", "hoc1-"),
        TEXT[:30] + "\r\n   " + TEXT[30:],
        TEXT[:5] + "\n" + TEXT[5:40] + "\u00a0" + TEXT[40:] + "\u200b",
        TEXT.replace("0", "O").replace("1", "l"),
        TEXT.replace("0", "o").replace("1", "I"),
    ],
)
def test_however_it_was_pasted(text: str) -> None:
    assert parse_invite(text) == INVITE
    assert is_invite(text)


@given(invites, st.data())
def test_any_single_wrong_letter_is_refused(invite: Invite, data: st.DataObject) -> None:
    text = format_invite(invite)
    where = data.draw(st.integers(len(PREFIX), len(text) - 1))
    letter = data.draw(st.sampled_from(LETTERS).filter(lambda letter: letter != text[where]))
    wrong = text[:where] + letter + text[where + 1 :]
    assert refused(wrong) in ("mistyped-invite", "half-invite")  # half where the length or a spare bit was hit
    assert is_invite(wrong)


def test_every_single_wrong_letter_of_one_is_refused() -> None:
    for where in range(len(PREFIX), len(TEXT)):
        for letter in set(LETTERS) - {TEXT[where]}:
            assert refused(TEXT[:where] + letter + TEXT[where + 1 :]) in ("mistyped-invite", "half-invite")


@given(invites, st.data())
def test_neighbours_that_changed_places_are_refused(invite: Invite, data: st.DataObject) -> None:
    text = format_invite(invite)
    where = data.draw(st.integers(len(PREFIX), len(text) - 2))
    assume(text[where] != text[where + 1])
    refused(text[:where] + text[where + 1] + text[where] + text[where + 2 :])


@given(invites, st.data())
def test_any_part_of_it_is_refused_as_such(invite: Invite, data: st.DataObject) -> None:
    text = format_invite(invite)
    part = text[: data.draw(st.integers(len(PREFIX), len(text) - 1))]
    assert refused(part) == "half-invite"
    assert is_invite(part)


@given(invites, st.text(LETTERS, min_size=1, max_size=20))
def test_what_follows_it_is_refused(invite: Invite, more: str) -> None:
    assert refused(format_invite(invite) + more) in ("mistyped-invite", "half-invite")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-invite"),
        ("example.org:7411", "bad-invite"),
        (TEXT[5:], "bad-invite"),
        (TEXT.replace("hoc1", "hoc2"), "other-version"),
        (TEXT.replace("hoc1", "hoc12"), "other-version"),
        ("hoc1-", "half-invite"),
        ("hoc1-0", "half-invite"),
        (TEXT[:-1] + "u", "mistyped-invite"),
        (TEXT[:-1] + "é", "mistyped-invite"),
        ("hoc1-" + "z" * 5000, "mistyped-invite"),
    ],
)
def test_what_is_wrong_is_said(text: str, code: str) -> None:
    assert refused(text) == code


def test_a_lone_prefix_with_nothing_behind_it_is_no_invite() -> None:
    assert refused("hoc1") == "bad-invite"
    assert not is_invite("hoc1")


def with_address(where: bytes, port: int = 7411) -> str:
    body = where + port.to_bytes(2) + INVITE.pin + INVITE.secret
    return PREFIX + _format_base32(body + _checksum(body))


@pytest.mark.parametrize(
    "text",
    [
        with_address(bytes([3, 0])),
        with_address(bytes([3, 9]) + b"a b\x1b[2Jcd"),
        with_address(bytes([3, 4]) + "hé".encode() + b"x"),
        with_address(bytes([3, 7]) + b"1.2.3.4"),
        with_address(bytes([3, 3]) + b"::1"),
        with_address(bytes([1, 203, 0, 113, 7]), port=0),
    ],
)
def test_right_letters_that_name_no_address(text: str) -> None:
    assert refused(text) == "bad-invite"


@given(st.text(max_size=80) | st.text("hoc1- " + LETTERS, max_size=80).map(lambda text: PREFIX + text))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        invite = parse_invite(text)
    except LocalError:
        return
    assert parse_invite(format_invite(invite)) == invite


@pytest.mark.parametrize(
    "text",
    ["example.org", "example.org:7411", "192.0.2.7:7411", "[2001:db8::7]:7411", "hoc", "hoc1", "hoc1-pc:7411",
     "hoc1-pc.local", "hocker-pc", "hoci", "h0c", "::1"],
)  # fmt: skip
def test_hosts_are_no_invites(text: str) -> None:
    assert not is_invite(text)


@pytest.mark.parametrize(
    ("address", "pin", "secret", "code"),
    [
        (Address("fe80::1%eth0", 1), 16, 10, "bad-address"),
        (Address("192.0.2.7", 0), 16, 10, "bad-address"),
        (Address("höst", 1), 16, 10, "bad-address"),
        (Address("", 1), 16, 10, "bad-address"),
        (Address("192.0.2.7", 1), 15, 10, "bad-invite"),
        (Address("192.0.2.7", 1), 16, 11, "bad-invite"),
    ],
)
def test_what_no_invite_can_hold(address: Address, pin: int, secret: int, code: str) -> None:
    with pytest.raises(LocalError) as caught:
        Invite(address, bytes(pin), bytes(secret))
    assert caught.value.code == code


def test_the_longest_name() -> None:
    host = ".".join(["a" * 62] * 4)
    invite = Invite(Address(host, 65_535), INVITE.pin, INVITE.secret)
    assert parse_invite(format_invite(invite)) == invite
    assert ipaddress.ip_address(parse_invite(TEXT).address.host).version == 4
