"""One short sentence for everything that happens, of the deal and of the table. No terminal in here.

Verbs differ between *you* and a name, in other languages more than in English: each sentence stands here twice, whole.
"""

# ruff: noqa: A002 - ``ascii`` is the name that the option has for people

from __future__ import annotations

from collections.abc import Sequence

from hocp2p.game.actions import Action, Declare, Good, Pass, Raise, Stake
from hocp2p.game.events import (
    Announced,
    Anted,
    BlancheClaimed,
    Called,
    CardHeldBack,
    CardPlayed,
    CardsShown,
    DealEnded,
    FalselyAnnounced,
    HocSaid,
    Paid,
    PlayOpened,
    RunEnded,
    SansSaid,
    SeatGone,
    ShowdownOpened,
    StakeClosed,
    StakeEnd,
    StakeOpened,
)
from hocp2p.table.events import (
    AnotherWanted,
    AwayChanged,
    CardDrawn,
    DealerChosen,
    DealSigned,
    DealStarted,
    DeckStep,
    HandDealt,
    HandShown,
    RulesChanged,
    SeatFreed,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SessionEnded,
    TableEvent,
    TableProposed,
    TableStopped,
    TalkSaid,
)
from hocp2p.ui.error_messages import translate_error, translate_loss
from hocp2p.ui.lang import N_, _
from hocp2p.ui.link_sentences import describe_link_event
from hocp2p.ui.names import (
    CLASS_NAMES,
    STAKE_NAMES,
    capitalized,
    counted,
    describe_claim,
    joined,
    labelled,
    payment_reason,
    rank_word,
    signed,
)
from hocp2p.ui.speaker import Speaker


def describe_event(
    event: TableEvent, names: Sequence[str], *, ascii: bool = False, you: int | None = None
) -> str | None:
    """What happened, as one short sentence without its full stop; None where nothing needs saying.

    Args:
        event: of the deal or of the table.
        names: by seat.
        ascii: letters for suits.
        you: the seat to be spoken to as ``you``; None: everybody by name.
    """
    speaker = Speaker(names, you, ascii)
    for part in (_auction, _showdown, _play, _table, _session):
        if text := part(speaker, event):
            return capitalized(text)
    if text := describe_link_event(event, speaker.says, speaker.name, you):
        return capitalized(text)
    return None


def describe_opening(event: StakeOpened, names: Sequence[str], *, you: int | None = None) -> str:
    """What is to be had and who speaks first, for those who know which stake it is; arguments as above."""
    if event.doubled and event.stake is not Stake.POINT:  # which pays its pool and nothing else
        sentences = (
            N_("{jetons} in the pool, payments doubled; you speak first"),
            N_("{jetons} in the pool, payments doubled; {name} speaks first"),
        )
    else:
        sentences = (N_("{jetons} in the pool; you speak first"), N_("{jetons} in the pool; {name} speaks first"))
    return Speaker(names, you).says(event.first, *sentences, jetons=counted(event.pool, "jeton"))


def _auction(speaker: Speaker, event: TableEvent) -> str | None:
    says = speaker.says
    match event:
        case Anted():
            return _("everybody antes 3, one into each pool")
        case StakeOpened(stake):
            opening = describe_opening(event, speaker.names, you=speaker.you)
            return _("{stake}: {opening}").format(stake=STAKE_NAMES[stake], opening=opening)
        case Called(seat, _stake, action, paid, level):
            return _call(speaker, seat, action, paid, level)
        case StakeClosed(stake, StakeEnd.PASSED):
            return _("everybody passes: the {stake} pool stays on the table").format(stake=STAKE_NAMES[stake])
        case StakeClosed(stake, end, winner, pool) if winner is not None:
            return says(winner, *_STAKE_ENDS[end], stake=STAKE_NAMES[stake], pool=pool)
        case _:
            return None


_STAKE_ENDS = {
    StakeEnd.ALONE: (
        N_("you take the {stake} pool of {pool}, alone in it"),
        N_("{name} takes the {stake} pool of {pool}, alone in it"),
    ),
    StakeEnd.SHOWN: (N_("you win {stake} and its pool of {pool}"), N_("{name} wins {stake} and its pool of {pool}")),
    StakeEnd.NOTHING: (
        N_("nobody has a {stake}: you take the {pool} by position"),
        N_("nobody has a {stake}: {name} takes the {pool} by position"),
    ),
}


def _call(speaker: Speaker, seat: int, action: Action, paid: int, level: int) -> str:
    announced = getattr(action, "announced", None)
    match action, announced:
        case Pass(), _none:
            sentences = N_("you pass"), N_("{name} passes")
        case Good(), _none:
            sentences = N_("you say good"), N_("{name} says good")
        case Declare(), None:
            sentences = N_("you declare"), N_("{name} declares")
        case Declare(), _class:
            sentences = N_("you declare: {combination}"), N_("{name} declares: {combination}")
        case Raise(), None:
            sentences = N_("you raise {by}, to {level}"), N_("{name} raises {by}, to {level}")
        case Raise(), _class:
            sentences = (
                N_("you raise {by}, to {level}: {combination}"),
                N_("{name} raises {by}, to {level}: {combination}"),
            )
        case _stay, None if paid:
            sentences = N_("you stay for {paid}"), N_("{name} stays for {paid}")
        case _stay, None:
            sentences = N_("you stay"), N_("{name} stays")
        case _stay, _class if paid:
            sentences = N_("you stay for {paid}: {combination}"), N_("{name} stays for {paid}: {combination}")
        case _stay, _class:
            sentences = N_("you stay: {combination}"), N_("{name} stays: {combination}")
    return speaker.says(
        seat,
        *sentences,
        by=getattr(action, "by", 0),
        level=level,
        paid=paid,
        combination="" if announced is None else CLASS_NAMES[announced],
    )


def _showdown(speaker: Speaker, event: TableEvent) -> str | None:
    says = speaker.says
    match event:
        case ShowdownOpened(_stake, seats):
            return _("showdown between {names}").format(names=joined([speaker.among(seat) for seat in seats]))
        case Announced(seat, _stake, None):
            return says(seat, N_("you say good"), N_("{name} says good"))
        case Announced(seat, stake, claim) if claim is not None:
            told = describe_claim(stake, claim)
            return says(seat, N_("you announce {claim}"), N_("{name} announces {claim}"), claim=told)
        case CardsShown(seat, _stake, cards):
            shown = speaker.cards([held.card for held in cards])
            return says(seat, N_("you show {cards}"), N_("{name} shows {cards}"), cards=shown)
        case FalselyAnnounced(seat, _stake):
            return says(
                seat,
                N_("you cannot show it: a false announcement"),
                N_("{name} cannot show it: a false announcement"),
            )
        case BlancheClaimed(seat):
            return says(
                seat,
                N_("you claim carte blanche: not one court, proved"),
                N_("{name} claims carte blanche: not one court, proved"),
            )
        case Paid():
            return _paid(speaker, event)
        case _:
            return None


def _paid(speaker: Speaker, paid: Paid) -> str:
    reason = payment_reason(paid.reason)
    if paid.to is None:
        return speaker.says(
            paid.seat,
            N_("you pay {amount} into the next Point pool: {reason}"),
            N_("{name} pays {amount} into the next Point pool: {reason}"),
            amount=paid.amount,
            reason=reason,
        )
    if paid.to == speaker.you:
        sentence = _("{name} pays you {amount}: {reason}")
        return sentence.format(name=speaker.name(paid.seat), amount=paid.amount, reason=reason)
    return speaker.says(
        paid.seat,
        N_("you pay {amount} to {to}: {reason}"),
        N_("{name} pays {amount} to {to}: {reason}"),
        to=speaker.name(paid.to),
        amount=paid.amount,
        reason=reason,
    )


def _play(speaker: Speaker, event: TableEvent) -> str | None:
    says = speaker.says
    match event:
        case PlayOpened(seat):
            return says(seat, N_("the play begins: you lead"), N_("the play begins: {name} leads"))
        case CardPlayed():
            return _card_played(speaker, event)
        case SansSaid(seat, rank):
            return says(seat, N_("you say sans {rank}"), N_("{name} says sans {rank}"), rank=rank_word(rank))
        case CardHeldBack(seat, rank):
            return says(
                seat,
                N_("you let the {rank} go by without proof"),
                N_("{name} lets the {rank} go by without proof"),
                rank=rank_word(rank),
            )
        case RunEnded(seat, True):
            return says(seat, N_("nobody goes on: you lead anew"), N_("nobody goes on: {name} leads anew"))
        case RunEnded(seat, False):
            return says(seat, N_("you lead anew"), N_("{name} leads anew"))
        case HocSaid(seat, True):
            return says(seat, N_("you say Hoc! (fortuitous)"), N_("{name} says Hoc! (fortuitous)"))
        case HocSaid(seat, False):
            return says(seat, N_("you say Hoc!"), N_("{name} says Hoc!"))
        case SeatGone(seat):
            return says(seat, N_("you are gone for good"), N_("{name} is gone for good"))
        case DealEnded(winner, _left) if winner is not None:
            return says(winner, N_("you are out: the deal is over"), N_("{name} is out: the deal is over"))
        case DealEnded():
            return _("nobody is left to play: the deal is over")
        case _:
            return None


def _card_played(speaker: Speaker, played: CardPlayed) -> str:
    if played.as_rank == played.card.rank:
        led = N_("you lead {card}"), N_("{name} leads {card}")
        followed = N_("you play {card}"), N_("{name} plays {card}")
    else:
        led = N_("you lead {card} as the {rank}"), N_("{name} leads {card} as the {rank}")
        followed = N_("you play {card} as the {rank}"), N_("{name} plays {card} as the {rank}")
    sentences = led if played.led else followed
    return speaker.says(played.seat, *sentences, card=speaker.card(played.card), rank=rank_word(played.as_rank))


def _table(speaker: Speaker, event: TableEvent) -> str | None:
    says = speaker.says
    match event:
        case SeatTaken(seat, name):
            return _("{name} takes seat {number}").format(name=name, number=seat + 1)
        case SeatFreed(seat, name):
            return _("{name} leaves seat {number}").format(name=name, number=seat + 1)
        case RulesChanged():
            return _("the host has changed the rules: read them and say ready again")
        case TableProposed():
            return _("all seats are filled: read the rules and say ready")
        case SeatReady(seat):
            return says(seat, N_("you are ready"), N_("{name} is ready"))
        case AwayChanged(seat, True):
            return says(
                seat,
                N_("you are away: the free choices are made without waiting"),
                N_("{name} is away: the free choices are made without waiting"),
            )
        case AwayChanged(seat, False):
            return says(seat, N_("you are back"), N_("{name} is back"))
        case SeatLeft(seat, why):
            return translate_loss(speaker.name(seat), why)
        case TalkSaid(seat, text):
            return labelled(speaker.among(seat), text)
        case TableStopped(_code, message):
            return _("the table stopped: {message}").format(message=translate_error(message))
        case _:
            return None


def _session(speaker: Speaker, event: TableEvent) -> str | None:
    says = speaker.says
    match event:
        case CardDrawn(seat, card):
            return says(seat, N_("you draw {card}"), N_("{name} draws {card}"), card=speaker.card(card))
        case DealerChosen(seat):
            return says(seat, N_("you deal first"), N_("{name} deals first"))
        case DealStarted(number, dealer):
            return says(dealer, N_("deal {number}: you deal"), N_("deal {number}: {name} deals"), number=number)
        case DeckStep(_deal, "shuffle", seat) if seat is not None:
            return says(seat, N_("you shuffle"), N_("{name} shuffles"))
        case HandDealt(cards):
            return _("your hand: {cards}").format(cards=speaker.cards(sorted(cards)))
        case DealSigned(number, _outcome):
            return _("deal {number} is signed by all").format(number=number)
        case HandShown(seat, _deal, cards):
            shown = speaker.cards(sorted(cards))
            return says(seat, N_("you show the hand: {cards}"), N_("{name} shows the hand: {cards}"), cards=shown)
        case AnotherWanted(seat):
            return says(seat, N_("you would play another match"), N_("{name} would play another match"))
        case SessionEnded(net):
            figures = joined([f"{speaker.among(seat)} {signed(amount)}" for seat, amount in enumerate(net)])
            return _("the session is over: {figures}").format(figures=figures)
        case _:
            return None
