"""Advice, and why: an action and true statements about a seat's view, as frozen values without language.

Chances are from 0 to 1, amounts in jetons, ranks 1 to 13.
"""

from __future__ import annotations

from dataclasses import dataclass

from hocp2p.game.actions import Action, Claim, Combination, Stake
from hocp2p.game.cards import Card

# the auctions


@dataclass(frozen=True, slots=True)
class HoldsBest:
    """``claim`` is the strongest combination of the hand for this stake."""

    stake: Stake
    claim: Claim


@dataclass(frozen=True, slots=True)
class HoldsNothing:
    """The hand has no combination for this stake, Sequence or Tricon."""

    stake: Stake


@dataclass(frozen=True, slots=True)
class WinsByPosition:
    """The hand has no combination for this stake, Sequence or Tricon; if nobody has, it wins the pool (rule 2.2): of
    those who may still contest none has a better position.
    """

    stake: Stake


@dataclass(frozen=True, slots=True)
class ChanceToWinStake:
    """How likely the best combination of the hand beats all who may still contest; others' words weigh in it.

    ``prize`` is as in :class:`CostsToStay`, and so is ``jetons``, but 0 where that is not the question.
    """

    stake: Stake
    chance: float
    jetons: int
    prize: int


@dataclass(frozen=True, slots=True)
class CannotBeBeaten:
    """Nobody who may still contest can hold anything better."""

    stake: Stake


@dataclass(frozen=True, slots=True)
class CostsToStay:
    """Staying costs ``jetons``; ``prize`` is the pool, and what the others pay the winner for what the hand holds."""

    jetons: int
    prize: int


@dataclass(frozen=True, slots=True)
class StaysFree:
    """Nothing is missing to the level."""


@dataclass(frozen=True, slots=True)
class MayComeBack:
    """Whoever passes may still contest when another opens."""


@dataclass(frozen=True, slots=True)
class Bluff:
    """The hand is weak; the raise or declaration wins when the others give up."""

    stake: Stake


@dataclass(frozen=True, slots=True)
class SaidMostly:
    """By the tables that were solved a hand like this says ``word`` so many ``times`` in ten, 3 to 9, else another.

    All raises are one word here, whatever their jetons, and so are words that differ by the announced class.
    """

    word: Action
    times: int


@dataclass(frozen=True, slots=True)
class SaysOther:
    """The hand holds one class and another is said; a class said in the auction need not be true."""

    held: Combination
    said: Combination


# showdown and show


@dataclass(frozen=True, slots=True)
class AnnouncesBest:
    """What is announced is the strongest combination of the hand; whoever wins must show it."""


@dataclass(frozen=True, slots=True)
class BeatsAnnounced:
    """The claim beats what was announced before, by ``rival`` last."""

    rival: int
    claim: Claim
    stake: Stake


@dataclass(frozen=True, slots=True)
class NothingBetter:
    """The hand does not beat what ``rival`` announced."""

    rival: int
    claim: Claim
    stake: Stake


@dataclass(frozen=True, slots=True)
class EqualButLater:
    """The hand is as good as what ``rival`` announced, whose position is better."""

    rival: int
    claim: Claim
    stake: Stake


@dataclass(frozen=True, slots=True)
class FalseCosts:
    """Who announces what he cannot show pays this fine."""

    jetons: int


@dataclass(frozen=True, slots=True)
class CannotShow:
    """What was announced is not in the hand."""


@dataclass(frozen=True, slots=True)
class TakesPool:
    """This brings the pool."""

    stake: Stake
    jetons: int


@dataclass(frozen=True, slots=True)
class PaidForShow:
    """What is shown brings so much from all others together; no other choice brings more."""

    jetons: int


@dataclass(frozen=True, slots=True)
class PaidUnseen:
    """The announced class brings so much from all others together, nobody sees a card, and no choice brings more."""

    jetons: int


# carte blanche


@dataclass(frozen=True, slots=True)
class NoCourt:
    """No court was dealt: so much from all others together, if nobody else claims."""

    jetons: int


@dataclass(frozen=True, slots=True)
class SparesBlanche:
    """``rival`` has claimed, and where two claim nobody pays: this spares so much."""

    rival: int
    jetons: int


@dataclass(frozen=True, slots=True)
class HoldsCourt:
    """This court was dealt."""

    card: Card


# the play


@dataclass(frozen=True, slots=True)
class Expects:
    """What the net expects the action to win from now to the end of the deal, and the second best, ``other``."""

    jetons: int
    other: Action
    otherwise: int


@dataclass(frozen=True, slots=True)
class WinsNow:
    """These cards are the whole hand, and go down one after the other before anybody else has a say."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CannotBeStopped:
    """Who goes on as advised goes out next, whatever the others hold or do."""


@dataclass(frozen=True, slots=True)
class OnlyHocStops:
    """The hand can go out next unless an opponent plays a fixed hoc."""


@dataclass(frozen=True, slots=True)
class LongestRun:
    """No lead takes more cards along."""


@dataclass(frozen=True, slots=True)
class RunIsDead:
    """No opponent can play ``rank``, neither an ordinary card nor a hoc: the lead stays."""

    rank: int


@dataclass(frozen=True, slots=True)
class OnlyHocFollows:
    """No opponent holds an ordinary card of ``rank``; ``stays``: the chance that none has a hoc, and the lead stays."""

    rank: int
    stays: float


@dataclass(frozen=True, slots=True)
class KeepsLead:
    """Two chances: that the run is dead at ``rank``, no opponent holding an ordinary card of it; and that the lead
    stays, since none of them holds a hoc either.
    """

    rank: int
    dead: float
    stays: float


@dataclass(frozen=True, slots=True)
class MustPlay:
    """The hand holds an ordinary card of the called rank: that, or a hoc in its place if it holds one (rule 3.1)."""

    rank: int
    hoc: bool


@dataclass(frozen=True, slots=True)
class NothingFits:
    """The hand holds neither an ordinary card of the called rank nor a fixed hoc."""

    rank: int


@dataclass(frozen=True, slots=True)
class KeepsHoc:
    """The hand holds so many fixed hocs, which stay for a better moment."""

    hocs: int


@dataclass(frozen=True, slots=True)
class HocTakesOne:
    """A fixed hoc takes 1 from each opponent, so much in all, and its player leads again if he has cards left."""

    jetons: int


@dataclass(frozen=True, slots=True)
class NearOut:
    """``rival`` holds ``cards`` cards, and the hand's own ``left`` cards would cost ``jetons``."""

    rival: int
    cards: int
    left: int
    jetons: int


Reason = (
    HoldsBest | HoldsNothing | WinsByPosition | ChanceToWinStake | CannotBeBeaten | CostsToStay | StaysFree
    | MayComeBack | Bluff | SaidMostly | SaysOther | AnnouncesBest | BeatsAnnounced | NothingBetter | EqualButLater
    | FalseCosts | CannotShow | TakesPool | PaidForShow | PaidUnseen | NoCourt | SparesBlanche | HoldsCourt | Expects
    | WinsNow | CannotBeStopped | OnlyHocStops | LongestRun | RunIsDead | OnlyHocFollows | KeepsLead | MustPlay
    | NothingFits | KeepsHoc | HocTakesOne | NearOut
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Advice:
    """An action for the seat whose turn it is.

    Args:
        action: one of ``rules.legal_actions``; never a card held back, and in a showdown never a lie.
        reasons: one or two, the weightier first; every one is true as far as the seat can know.
        stake: what is being decided, while a stake is.
        goes_on_to: the last of the ordinary cards of the hand that follow the one that is played; None where none does,
            or a reason tells where it ends.
    """

    action: Action
    reasons: tuple[Reason, ...]
    stake: Stake | None
    goes_on_to: Card | None = None
