"""The links of one participant: who is at the other end of each, as far as it has proved it.

On every link the side that was dialled sends a challenge first; the side that dialled answers with a signature, so that
nobody takes the place of a seat, and nobody can pass the signature on to somebody else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hocp2p.crypto.identity import Identity, verify_signature
from hocp2p.crypto.scheme import Randomness
from hocp2p.errors import CryptoError, WireError
from hocp2p.table.effects import Effect, HangUp, Send
from hocp2p.wire.frames import (
    PROTOCOL_VERSION,
    Challenge,
    Frame,
    Hears,
    Hello,
    Return,
    decode_challenge_version,
    decode_frame,
    encode_frame,
    hello_statement,
    return_statement,
)

NONCE_BYTES: Final = 32


@dataclass(slots=True)
class Far:
    """The other end of a link.

    Args:
        dialled: by us.
        certificate: identity key that it has proved by its certificate, 32 bytes, or None.
        challenge: that of the side that was dialled; None until it has come.
        key: its identity key, proved; None: a stranger.
        joined: at the table or in the lobby: what is for all goes to it.
        stood: it knows how far we are.
        hears: seats to which it says it has links.
        told: seats to which we have told it that we have links.
    """

    dialled: bool
    certificate: bytes | None = None
    challenge: Challenge | None = None
    key: bytes | None = None
    joined: bool = False
    stood: bool = False
    hears: tuple[int, ...] = ()
    told: tuple[int, ...] | None = None


class Links:
    """All links of one participant.

    Args:
        identity: ours.
        randomness: for challenges.
        emit: takes effects.
    """

    def __init__(self, identity: Identity, randomness: Randomness, emit: Callable[[Effect], None]) -> None:
        self._identity = identity
        self._randomness = randomness
        self._emit = emit
        self._far: dict[int, Far] = {}

    def __getitem__(self, link: int) -> Far:
        return self._far[link]

    def __contains__(self, link: int) -> bool:
        return link in self._far

    def open(self, link: int, *, dialled: bool, certificate: bytes | None) -> None:
        """A link is up; where we were dialled we send the challenge."""
        far = self._far[link] = Far(dialled, certificate)
        if not dialled:
            far.challenge = Challenge(PROTOCOL_VERSION, self._identity.public, self._randomness(NONCE_BYTES))
            self.send(link, far.challenge)

    def close(self, link: int) -> Far | None:
        """A link is down. What we knew of it; None where we have hung up."""
        return self._far.pop(link, None)

    def send(self, link: int, frame: Frame) -> None:
        """Sends one frame."""
        self._emit(Send(encode_frame(frame), to=link))

    def hang_up(self, link: int, why: str) -> None:
        """Closes a link after what was sent on it; it is forgotten at once."""
        if self._far.pop(link, None) is not None:
            self._emit(HangUp(link, why))

    # -- proofs -------------------------------------------------------------------------------------------------------

    def take_challenge(self, link: int, data: bytes) -> Challenge:
        """The first frame on a link that we dialled. Raises WireError; ``version`` for another protocol."""
        version = decode_challenge_version(data)
        if version != PROTOCOL_VERSION:
            newer = "update your hocp2p" if version > PROTOCOL_VERSION else "the other side has to update hocp2p"
            told = f"that table speaks protocol version {version}, you speak {PROTOCOL_VERSION}: {newer}"
            raise WireError("version", told)
        challenge = decode_frame(data)
        far = self._far[link]
        if not isinstance(challenge, Challenge):
            raise WireError("unexpected-frame", "the first frame is no challenge")
        if far.certificate not in (None, challenge.key) or challenge.key == self._identity.public:
            raise WireError("wrong-key", "the other side says it is somebody else than its certificate")
        far.challenge, far.key = challenge, challenge.key
        return challenge

    def hello(self, link: int, name: str, bot_level: str, owner: str, secret: bytes) -> bytes:
        """Sends our greeting with a fresh nonce, which is returned."""
        nonce = self._randomness(NONCE_BYTES)
        public = self._identity.public
        proof = self._identity.sign(hello_statement(self._challenge(link), public, nonce))
        self.send(link, Hello(PROTOCOL_VERSION, public, name, bot_level, owner, nonce, secret, proof))
        return nonce

    def verify_hello(self, link: int, hello: Hello) -> None:
        """Raises CryptoError ``bad-signature`` unless the greeting is for us, WireError where its key has changed."""
        verify_signature(hello.key, hello_statement(self._challenge(link), hello.key, hello.nonce), hello.proof)
        if self._far[link].key not in (None, hello.key):
            raise WireError("wrong-key", "the other side has greeted as somebody else before")
        self._far[link].key = hello.key

    def come_back(self, link: int, table: bytes, seat: int) -> None:
        """Sends that we are a seat of a table."""
        proof = self._identity.sign(return_statement(self._challenge(link), table, seat))
        self.send(link, Return(PROTOCOL_VERSION, table, seat, proof))

    def verify_return(self, link: int, back: Return, key: bytes) -> None:
        """Raises CryptoError ``bad-signature`` unless the seat with this key has linked to us."""
        verify_signature(key, return_statement(self._challenge(link), back.table, back.seat), back.proof)
        self._far[link].key = key

    def is_return_of(self, link: int, back: Return, key: bytes) -> bool:
        """Whether the one with this key comes back, to whatever table."""
        try:
            verify_signature(key, return_statement(self._challenge(link), back.table, back.seat), back.proof)
        except CryptoError:
            return False
        return True

    def _challenge(self, link: int) -> Challenge:
        challenge = self._far[link].challenge
        if challenge is None:
            raise WireError("unexpected-frame", "a frame before the challenge")
        return challenge

    # -- who is there -------------------------------------------------------------------------------------------------

    def join(self, link: int) -> None:
        """A link leads to somebody of ours. An older one that was dialled by the same side is closed."""
        far = self._far[link]
        older = [
            number
            for number, other in self._far.items()
            if number != link and other.joined and other.key == far.key and other.dialled == far.dialled
        ]
        far.joined = True
        for number in older:
            self.hang_up(number, "linked anew")

    def joined(self, key: bytes | None = None) -> tuple[int, ...]:
        """Links that lead to somebody of ours, or to the one with this key."""
        return tuple(link for link, far in self._far.items() if far.joined and key in (None, far.key))

    def first(self, key: bytes) -> tuple[int, ...]:
        """The oldest link to the one with this key, or none: what must come in order goes over it alone."""
        return self.joined(key)[:1]

    def keys(self) -> frozenset[bytes]:
        """Keys of those who are linked."""
        return frozenset(far.key for far in self._far.values() if far.joined and far.key is not None)

    def opening(self) -> frozenset[bytes | None]:
        """Keys of those whom we have dialled and who have not answered yet, as their certificates say."""
        return frozenset(far.certificate for far in self._far.values() if far.dialled and not far.joined)

    def tell_whom_we_hear(self, seats: tuple[int, ...]) -> None:
        """Tells everybody who does not know it to which seats we have links."""
        for link, far in self._far.items():
            if far.joined and far.told != seats:
                far.told = seats
                self.send(link, Hears(seats))

    def heard_by_others(self) -> frozenset[int]:
        """Seats that somebody hears whom we hear."""
        return frozenset(seat for far in self._far.values() if far.joined for seat in far.hears)
