"""What goes over links, made here from the specification alone (sections 6 and 9.2), against the program."""

from __future__ import annotations

import binascii
import hashlib
import random

import pytest

from hocp2p.errors import LinkError
from hocp2p.game.house import Rules
from hocp2p.net.address import Address
from hocp2p.net.certificate import key_of, make_certificate, pin_of
from hocp2p.net.invite import Invite, format_invite
from hocp2p.net.tls import Trust
from hocp2p.table.effects import Effect, Persist, Send
from hocp2p.table.table import Table
from hocp2p.wire.envelope import decode_envelope
from hocp2p.wire.frames import Hello, Return, Sealed, Standing, decode_frame
from protocol.generate import ed25519
from protocol.generate.bounds import frame, message
from protocol.generate.wire import TALK_TRACK, Envelope
from tests.support.tables import HOST, StarTable
from tests.table.lobby import LINK, challenge_of, dial, frames_to, hung_up, make_guest, make_host

SEED = b"\5" * 32
KEY = ed25519.public_key(SEED)
NONCE = b"\6" * 32
OURS = b"\7" * 32  # what the other side signs for
VERSION = 1


def hello(challenge_key: bytes, challenge_nonce: bytes, seed: bytes = SEED, key: bytes = KEY) -> bytes:
    proof = ed25519.sign(seed, b"hocp2p/1 hello" + challenge_key + challenge_nonce + key + NONCE)
    return frame("hello", "hocp2p", VERSION, key, "Anna", "", "", NONCE, b"", proof)


def returning(challenge_key: bytes, challenge_nonce: bytes, table: bytes, seat: int, seed: bytes) -> bytes:
    proof = ed25519.sign(seed, b"hocp2p/1 return" + challenge_key + challenge_nonce + table + bytes([seat]))
    return frame("return", "hocp2p", VERSION, table, seat, proof)


def in_play() -> StarTable:
    """Three seats in the middle of a deal."""
    table = StarTable(3, Rules(deals=3), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    for _ in range(40):
        table.step()
    return table


def table_of(table: StarTable, seat: int) -> Table:
    found = table.peers[seat].table
    assert found is not None
    return found


# -- who is at the other end ------------------------------------------------------------------------------------------


def test_the_dialled_side_speaks_first() -> None:
    """R-118."""
    host, guest = make_host(), make_guest()
    challenge = challenge_of(host, 1)
    assert (challenge.key, len(challenge.nonce)) == (host.me.identity.public, 32)
    assert challenge_of(host, 2).nonce != challenge.nonce
    assert guest.link_opened(LINK, dialled=True) == []
    for key in (guest.me.identity.public, ed25519.public_key(OURS)):
        guest = make_guest()
        guest.link_opened(LINK, dialled=True, certificate=KEY)
        assert hung_up(guest.receive(LINK, frame("challenge", "hocp2p", VERSION, key, NONCE))) == [LINK]
        assert guest.over


def test_what_a_greeting_signs() -> None:
    """R-119. In both directions."""
    host, guest = make_host(), make_guest()
    challenge = challenge_of(host, 1)
    assert hung_up(host.receive(1, hello(challenge.key, challenge.nonce))) == []
    assert host.snapshot().seats[1].name == "Anna"
    answer = dial(guest)
    assert isinstance(answer, Hello)
    asked = decode_frame(frame("challenge", "hocp2p", VERSION, KEY, NONCE))
    guest = make_guest(3)
    guest.link_opened(LINK, dialled=True)
    (said,) = frames_to(guest.receive(LINK, frame("challenge", "hocp2p", VERSION, KEY, NONCE)), LINK)
    assert isinstance(said, Hello), asked
    ed25519.verify(said.key, b"hocp2p/1 hello" + KEY + NONCE + said.key + said.nonce, said.proof)


@pytest.mark.parametrize("wrong", ["key of the challenge", "nonce of the challenge", "another's signature"])
def test_a_greeting_for_another_link_is_refused(wrong: str) -> None:
    """R-119."""
    host = make_host()
    challenge = challenge_of(host, 1)
    key = KEY if wrong == "key of the challenge" else challenge.key
    nonce = NONCE if wrong == "nonce of the challenge" else challenge.nonce
    seed = OURS if wrong == "another's signature" else SEED
    assert hung_up(host.receive(1, hello(key, nonce, seed))) == [1]
    assert host.snapshot().seats[1].name == ""


def test_a_second_greeting_has_the_key_of_the_first() -> None:
    """R-120."""
    host = make_host()
    challenge = challenge_of(host, 1)
    host.receive(1, hello(challenge.key, challenge.nonce))
    other = hello(challenge.key, challenge.nonce, OURS, ed25519.public_key(OURS))
    assert hung_up(host.receive(1, other)) == [1]


def test_what_a_return_signs() -> None:
    """R-119. The seat's own is followed by a standing, another's closes the link."""
    table = in_play()
    host = table.peers[HOST]
    ours = table_of(table, HOST).terms.table
    for link, (seat, signer) in enumerate([(1, 1), (1, 2), (0, 1)], start=20):
        challenge = challenge_of(host, link)
        seed = table.mine[signer].identity.seed()
        effects = host.receive(link, returning(challenge.key, challenge.nonce, ours, seat, seed))
        answers = [each for each in frames_to(effects, link) if isinstance(each, Standing)]
        assert bool(answers) is (seat == signer)
        assert (link in hung_up(effects)) is (seat != signer)


def test_a_seat_answers_its_host_with_a_return() -> None:
    """R-119."""
    table = in_play()
    host, guest = table.mine[HOST].identity.public, table.peers[1]
    guest.link_opened(30, dialled=True)
    (said,) = frames_to(guest.receive(30, frame("challenge", "hocp2p", VERSION, host, NONCE)), 30)
    assert isinstance(said, Return)
    signed = b"hocp2p/1 return" + host + NONCE + said.table + bytes([said.seat])
    ed25519.verify(guest.me.identity.public, signed, said.proof)


# -- coming back ------------------------------------------------------------------------------------------------------


def test_who_comes_back_is_sent_what_it_misses_and_nothing_else() -> None:
    """R-122. From the steps and numbers named, and of tracks above all that are named."""
    table = in_play()
    table.peers[1].say("well")
    ours = table_of(table, HOST)
    stands = ours.standing()
    everything = ours.missing(Standing(stands.table, tuple((track, 0) for track, _ in stands.tracks), (0, 0, 0)))
    known = [envelope_in(data) for data in everything]
    assert len(known) == len({each.raw for each in known}) > 20
    for count in range(1, len(stands.tracks) + 1):
        for behind in (0, 2, 1000):
            tracks = tuple((track, max(0, step - behind)) for track, step in stands.tracks[:count])
            given = [envelope_in(data).raw for data in ours.missing(Standing(stands.table, tracks, stands.heard))]
            steps = dict(tracks)
            due = [
                each.raw
                for each in known
                if each.track < TALK_TRACK and each.step >= steps.get(each.track, 0)
                if each.track in steps or each.track > max(steps)
            ]
            assert sorted(given) == sorted(due)


def envelope_in(data: bytes) -> Envelope:
    sealed = decode_frame(data)
    assert isinstance(sealed, Sealed)
    each = decode_envelope(sealed.envelope)
    return Envelope(each.table, each.track, each.step, each.seat, each.head, each.body, each.signature)


class Keeping(StarTable):
    """Looks that what a seat sends of its own was to be kept before."""

    def perform(self, seat: int, effects: list[Effect]) -> None:
        kept = vars(self).setdefault("on_disk", {}).setdefault(seat, set())
        for effect in effects:
            if isinstance(effect, Persist):
                kept.add(effect.payload)
            elif isinstance(effect, Send) and isinstance(sealed := decode_frame(effect.frame), Sealed):
                assert sealed.envelope in kept
        super().perform(seat, effects)


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_keeps_what_it_says_before_it_is_sent_and_comes_back_to_the_same(seed: int) -> None:
    """R-125, R-046. ``StarTable`` looks that no slot is signed twice in all lives of a seat."""
    table = Keeping(2, Rules(deals=2), seed)
    rng = random.Random(seed)
    for _ in range(6):
        for _ in range(rng.randrange(5, 60)):
            table.step()
        seat = rng.randrange(2)
        if table.kept[seat].envelopes and not table.peers[seat].over:
            table.crash(seat)
            assert table.come_back(seat)
            table.relink()
    table.run()
    first, second = (peer.snapshot() for peer in table.peers)
    assert len(first.finished) == 2
    assert first.balances == second.balances


# -- votes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("about", [1, 2])
def test_a_vote_about_oneself_or_nobody_is_blamed(about: int) -> None:
    """R-126. Of two seats: 1 is the speaker, 2 is nobody."""
    table = StarTable(2, Rules(deals=2), 1)
    table.run(lambda: all(peer.snapshot().view is not None for peer in table.peers))
    ours = table_of(table, HOST)
    seed = table.mine[1].identity.seed()
    said = Envelope(ours.terms.table, TALK_TRACK, 40, 1, bytes(32), message("vote", about, 1)).sealed(seed)
    table.perform(HOST, table.peers[HOST].receive(1, frame("sealed", said.raw)))
    (blame,) = table.blames[HOST]
    assert (blame.seat, blame.code) == (1, "bad-seat")


# -- certificates and invites -----------------------------------------------------------------------------------------


def certificate(seed: bytes) -> bytes:
    """Section 6.5, in DER (X.690)."""

    def der(tag: int, *parts: bytes) -> bytes:
        content = b"".join(parts)
        return bytes([tag]) + (b"\x81" if len(content) > 127 else b"") + bytes([len(content)]) + content

    algorithm = der(0x30, der(6, b"\x2b\x65\x70"))
    name = der(0x30, der(0x31, der(0x30, der(6, b"\x55\x04\x03"), der(12, b"hocp2p"))))
    validity = der(0x30, der(0x17, b"700101000000Z"), der(0x18, b"99991231235959Z"))
    public = der(0x30, algorithm, der(3, b"\0" + ed25519.public_key(seed)))
    version, serial = der(0xA0, der(2, b"\2")), der(2, b"\1")
    told = der(0x30, version, serial, algorithm, name, validity, name, public)
    return der(0x30, told, algorithm, der(3, b"\0" + ed25519.sign(seed, told)))


def test_the_certificate_is_that_of_the_specification() -> None:
    der = certificate(SEED)
    assert make_certificate(SEED).der == der
    assert make_certificate(SEED).pin == hashlib.sha256(der).digest()[:16]


def test_another_certificate_is_refused() -> None:
    """R-121. Each byte of it counts, and so do the pin and the key expected."""
    der = certificate(SEED)
    assert Trust(pin_of(der), KEY).verify(der) == KEY
    for at in range(len(der)):
        with pytest.raises(LinkError) as caught:
            key_of(der[:at] + bytes([der[at] ^ 1]) + der[at + 1 :])
        assert caught.value.code == "bad-certificate"
    for trust in (Trust(pin=bytes(16)), Trust(key=NONCE), Trust(pin_of(der), NONCE)):
        with pytest.raises(LinkError) as caught:
            trust.verify(der)
        assert caught.value.code == "key-mismatch"


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("192.0.2.7", b"\1\xc0\0\2\7"),
        ("2001:db8::1", b"\2\x20\1\x0d\xb8" + bytes(11) + b"\1"),
        ("example.org", b"\3\x0bexample.org"),
    ],
)
def test_the_invite_is_that_of_the_specification(host: str, where: bytes) -> None:
    pin, secret = hashlib.sha256(certificate(SEED)).digest()[:16], b"0123456789"
    body = where + (47_111).to_bytes(2, "big") + pin + secret
    body += binascii.crc_hqx(b"hoc1" + body, 0).to_bytes(2, "big")
    bits = "".join(f"{byte:08b}" for byte in body)
    bits += "0" * (-len(bits) % 5)
    letters = "0123456789abcdefghjkmnpqrstvwxyz"
    text = "hoc1-" + "".join(letters[int(bits[at : at + 5], 2)] for at in range(0, len(bits), 5))
    assert format_invite(Invite(Address(host, 47_111), pin, secret)) == text
