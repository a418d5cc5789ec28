"""What a practice deal explains of the play, the end and the proofs. Pure; RULES 3."""

from __future__ import annotations

from hocp2p.game.actions import Play, Sans
from hocp2p.game.cards import KING, Card
from hocp2p.game.events import CardPlayed, DealEnded, RunEnded, SansSaid
from hocp2p.game.payments import cards_left_due
from hocp2p.game.state import Phase
from hocp2p.ui.hands import follow_up
from hocp2p.ui.lang import N_
from hocp2p.ui.lesson_moment import Moment, Text
from hocp2p.ui.names import counted, joined, rank_word
from hocp2p.ui.proof_words import proof_words


def play(moment: Moment) -> Text:
    """When the play begins."""
    state = moment.state_in(Phase.PLAY)
    if state is None or moment.view is None:
        return ()
    first = (
        moment.say(N_("You are the eldest, and lead."))
        if state.eldest == moment.view.seat
        else moment.say(N_("{name} is the eldest, and leads."), name=moment.name(state.eldest))
    )
    return (
        moment.say(N_("Now be the first who is rid of all cards.")) + " " + first,
        moment.say(
            N_(
                "The leader plays any card. Then the next higher rank is called, in any suit, and he goes on while he "
                "can: 5, 6, 7. At last he says sans 8 (without an 8), and the turn passes to the right: the next "
                "player goes on with an 8, or says sans 8, too."
            )
        ),
        moment.say(
            N_(
                "Each card left in your hand costs 1 jeton in the end, or 2 if there are ten or more. But a single "
                "card costs 6, and two cost 8."
            )
        ),
    )


def lead(moment: Moment) -> Text:
    """The first time that we lead."""
    state = moment.our_turn_in(Phase.PLAY)
    if state is None or state.play is None or state.play.called is not None or moment.view is None:
        return ()
    plans = [follow_up(moment.view, card) for card in moment.hand if not card.is_hoc]
    chains = [[action.card for action in plan if isinstance(action, Play)] for plan in plans]
    longest = max(chains, key=len, default=[])
    advice = (
        moment.say(N_("Best is one that you can go on from, such as {cards}."), cards=moment.chain(longest))
        if len(longest) > 1
        else moment.say(N_("Best is one that you would not get rid of later."))
    )
    return (moment.say(N_("You lead: play any card you like.")), advice)


def called(moment: Moment) -> Text:
    """The first time that we hold an ordinary card of the called rank on our turn."""
    state = moment.our_turn_in(Phase.PLAY)
    if state is None or state.play is None or state.play.called is None:
        return ()
    rank = state.play.called
    held = [card for card in moment.hand if card.rank == rank and not card.is_hoc]
    if not held:
        return ()
    return (
        moment.say(
            N_(
                "The rank that is called is {rank}, and you hold {cards}. Who holds an ordinary card of the called "
                "rank must play it, or a hoc in its place."
            ),
            rank=rank_word(rank),
            cards=moment.cards(held),
        ),
    )


def sans(moment: Moment) -> Text:
    """The first time that somebody has said *sans*, or that we may."""
    ours = [action for action in moment.snapshot.legal if isinstance(action, Sans)]
    theirs = [event for event in moment.happened(SansSaid) if event.seat != moment.snapshot.our_seat]
    if moment.our_turn_in(Phase.PLAY) is not None and ours:
        said = moment.say(
            N_("The rank that is called is {rank}, and you hold no ordinary card of it: you may say sans {rank}."),
            rank=rank_word(ours[0].rank),
        )
    elif moment.state_in(Phase.PLAY) is not None and theirs:
        said = moment.say(
            N_("{name} says sans {rank}: no ordinary card of that rank is in this hand."),
            name=moment.name(theirs[-1].seat),
            rank=rank_word(theirs[-1].rank),
        )
    else:
        return ()
    return (
        said,
        moment.say(
            N_(
                "A proof goes with these words, which tells that they are true and nothing else about the hand. So "
                "nobody can keep a card back; only hocs may be kept."
            )
        ),
    )


def hocs(moment: Moment) -> Text:
    """The first time that we may play a fixed hoc, or that another has played one."""
    ours = [action.card for action in moment.snapshot.legal if isinstance(action, Play) and action.card.is_hoc]
    played = [event for event in moment.happened(CardPlayed) if event.card.is_hoc]
    if moment.state_in(Phase.PLAY) is None:
        return ()
    if played and played[-1].seat != moment.snapshot.our_seat:
        first = moment.say(
            N_("{name} has played {card}, one of the six hocs: {hocs}."),
            name=moment.name(played[-1].seat),
            card=moment.cards([played[-1].card]),
            hocs=moment.hocs(),
        )
    elif ours and not _leads(moment):
        first = moment.say(
            N_("You hold {cards}: that is a hoc, and you may play it now."), cards=moment.cards(ours[:1])
        )
    else:
        return ()
    return (
        first,
        moment.say(
            N_(
                "A hoc stands for any rank, and is never forced. Its player says Hoc!, takes 1 jeton from each of the "
                "others, and leads anew with any card."
            )
        ),
    )


def fortuitous(moment: Moment) -> Text:
    """The first run that nobody could go on with."""
    ends = [event for event in moment.happened(RunEnded) if event.fortuitous]
    state = moment.state_in(Phase.PLAY)
    if not ends or state is None or state.play is None or not state.play.closed:
        return ()
    run = next((run for run in reversed(state.play.closed) if not run[-1].card.is_hoc), None)
    if run is None:
        return ()
    last = run[-1]
    fields = {"card": moment.cards([last.card]), "rank": rank_word(min(last.as_rank + 1, KING))}
    return (
        moment.say(
            N_(
                "Nobody played a card of the called rank, {rank}. So your {card} is a hoc by luck, a fortuitous hoc: "
                "you lead anew, say Hoc! with it, and take 1 jeton from each of the others."
            ),
            **fields,
        )
        if last.seat == moment.snapshot.our_seat
        else moment.say(
            N_(
                "Nobody played a card of the called rank, {rank}. So the {card} of {name} is a hoc by luck, a "
                "fortuitous hoc: {name} leads anew, says Hoc! with it, and takes 1 jeton from each of the others."
            ),
            name=moment.name(last.seat),
            **fields,
        ),
    )


def settlement(moment: Moment) -> Text:
    """When a hand is empty."""
    ends = moment.happened(DealEnded)
    if not ends or ends[-1].winner is None or moment.state_in(Phase.OVER) is None:
        return ()
    winner, us = ends[-1].winner, moment.snapshot.our_seat
    if winner == us:
        first = moment.say(N_("You are out first, and the deal is over."))
        bills = [_pays_us(moment, seat, cards) for seat, cards in moment.hands.items() if seat != us]
    else:
        first = moment.say(N_("{name} is out first, and the deal is over."), name=moment.name(winner))
        bills = [
            moment.say(
                N_("You still hold {cards}, and pay {jetons} for that."),
                cards=moment.cards(moment.hand),
                jetons=counted(cards_left_due(len(moment.hand)), "jeton"),
            )
        ]
    return (
        " ".join([first, *bills]),
        moment.say(
            N_("The score sheet tells why jetons changed hands. A match has six deals, unless you agree otherwise.")
        ),
    )


def fair(moment: Moment) -> Text:
    """When the deal is signed by all."""
    if not moment.snapshot.finished:
        return ()
    return (
        moment.say(
            N_(
                "Every player shuffled the deck, locked it, and proved that it was still the same 52 cards. Each card "
                "played was proved to be the one that was dealt, and each sans to be true. Your computer has checked "
                "it all: {proofs}."
            ),
            proofs=joined(proof_words(moment.snapshot.proved)),
        ),
        moment.say(
            N_(
                "So you can play with strangers, and need no server to trust. In a real game no hand lies open, and "
                "the sleeping cards stay unknown for ever."
            )
        ),
        moment.say(
            N_(
                "For a match against bots that hide their cards type hocp2p host --bots 2; for every rule, hocp2p "
                "rules."
            )
        ),
    )


def _leads(moment: Moment) -> bool:
    state = moment.state_in(Phase.PLAY)
    return state is not None and state.play is not None and state.play.called is None


def _pays_us(moment: Moment, seat: int, cards: tuple[Card, ...]) -> str:
    return moment.say(
        N_("{name} still holds {cards}, and pays you {jetons} for that."),
        name=moment.name(seat),
        cards=moment.cards(cards),
        jetons=counted(cards_left_due(len(cards)), "jeton"),
    )
