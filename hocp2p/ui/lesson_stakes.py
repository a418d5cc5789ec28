"""What a practice deal explains up to the play: the cards, the three stakes, carte blanche. Pure; RULES 1 and 2."""

from __future__ import annotations

from hocp2p.game.actions import Stake
from hocp2p.game.cards import DECK_SIZE
from hocp2p.game.combinations import Holding
from hocp2p.game.events import StakeClosed, StakeEnd
from hocp2p.game.state import Phase
from hocp2p.ui.lang import N_
from hocp2p.ui.lesson_moment import Moment, Text
from hocp2p.ui.names import CLASS_NAMES, STAKE_NAMES, counted, describe_claim, enumerated


def welcome(moment: Moment) -> Text:
    """Before anything else."""
    return (
        moment.say(
            N_(
                "This is a practice deal of Hoc Mazarin, a French court game of the 17th century, against two bots. "
                "They lay their hands open for you; they do not see yours."
            )
        ),
        moment.say(
            N_(
                "A deal has two halves. First you bid for three stakes, Point, Sequence and Tricon, and may bluff. "
                "Then the same cards are played out: whoever is rid of them first is paid for those that the others "
                "still hold."
            )
        ),
        moment.say(N_("Everybody has 100 jetons. Win some from the others.")),
    )


def hand(moment: Moment) -> Text:
    """When our cards are there."""
    state = moment.state_in(Phase.AUCTION)
    if state is None or moment.view is None:
        return ()
    held = [card for card in moment.hand if card.is_hoc]
    asleep = DECK_SIZE - sum(map(len, state.dealt))
    eldest = (
        moment.say(N_("You are the eldest, the player at the dealer's right: you speak first."))
        if state.eldest == moment.view.seat
        else moment.say(
            N_("The eldest, the player at the dealer's right, speaks first: that is {name}."),
            name=moment.name(state.eldest),
        )
    )
    return (
        moment.say(
            N_(
                "All three of you have shuffled the deck, so that nobody knows where a card lies. You hold {cards}. "
                "Another {asleep} sleep on the table; nobody ever sees them."
            ),
            cards=moment.cards(moment.hand),
            asleep=counted(asleep, "card"),
        ),
        moment.say(N_("Six cards are hocs, wild in the second half: {hocs}."), hocs=moment.hocs())
        + " "
        + (
            moment.say(N_("Of these you hold {cards}."), cards=moment.cards(held))
            if held
            else moment.say(N_("You hold none of them."))
        ),
        moment.say(N_("Everybody has put in three jetons, one for each stake. Now you bid for them in turn."))
        + " "
        + eldest,
    )


def point(moment: Moment) -> Text:
    """When we may first speak for Point."""
    if not _our_call(moment, Stake.POINT) or moment.view is None:
        return ()
    best = moment.best(Stake.POINT, moment.view.seat)
    return (
        moment.say(
            N_(
                "Point goes to the most cards of one suit. Of two with as many, their points decide: courts and tens "
                "count 10, aces 1, the others their number."
            )
        ),
        moment.say(N_("Your best suit is {held}."), held=_held(moment, best)) if best is not None else "",
        _comparison(moment, Stake.POINT),
    )


def sequence(moment: Moment) -> Text:
    """When we may first speak for Sequence."""
    if not _our_call(moment, Stake.SEQUENCE):
        return ()
    return (
        moment.say(
            N_(
                "Sequence goes to the longest run of one suit: a tierce is three cards, a quart four, a quint five or "
                "more. Of two as long, the higher top card wins."
            )
        ),
        _ours(moment, Stake.SEQUENCE),
        moment.say(
            N_(
                "Whoever comes in announces one of these, and it may be a lie. The winner is paid by everybody: 1 for "
                "a tierce, 2 for a quart, 3 for a quint, and 1 more with a king on top."
            )
        ),
        _comparison(moment, Stake.SEQUENCE),
    )


def tricon(moment: Moment) -> Text:
    """When we may first speak for Tricon."""
    if not _our_call(moment, Stake.TRICON):
        return ()
    return (
        moment.say(
            N_(
                "Tricon goes to three cards of one rank, a brelan, or better four of them, a fredon; of two alike, to "
                "the higher rank. Everybody pays 2 for a brelan and 4 for a fredon, and twice that for kings."
            )
        ),
        _ours(moment, Stake.TRICON),
        _comparison(moment, Stake.TRICON),
    )


def opening_words(moment: Moment) -> Text:
    """What may be said while nobody has opened."""
    state = moment.our_turn_in(Phase.AUCTION)
    if state is None or state.auction is None or state.auction.opened:
        return ()
    return (
        moment.say(N_("Nobody has opened this stake yet. You may say:")),
        moment.say(N_("Pass (je passe): nothing for now. If somebody opens after you, you may still come in.")),
        moment.say(N_("Declare (j'accuse): you open the stake, and it costs nothing yet.")),
        moment.say(N_("Raise (je renvie): you open it and put jetons in, which the others must match.")),
    )


def answering_words(moment: Moment) -> Text:
    """What may be said once somebody has opened."""
    state = moment.our_turn_in(Phase.AUCTION)
    if state is None or state.auction is None or not state.auction.opened or moment.view is None:
        return ()
    missing = state.auction.level - state.auction.paid[moment.view.seat]
    return (
        moment.say(N_("Somebody has opened this stake. You may say:")),
        moment.say(N_("Stay (je tiens): you put in what is missing; here that is {jetons}."), jetons=missing),
        moment.say(N_("Raise (je renvie): you put in more, which the others must match.")),
        moment.say(N_("Good (c'est bon): you give this stake up, with what you have put in.")),
    )


def passed(moment: Moment) -> Text:
    """The first stake that everybody passed."""
    end = _ended(moment, StakeEnd.PASSED)
    if end is None or moment.view is None:
        return ()
    return (
        moment.say(
            N_(
                "Everybody has passed, so nobody takes this pool. Its {jetons} stay on the table for the next deal, "
                "where what is paid for {stake} counts double."
            ),
            jetons=counted(moment.view.state.pools[end.stake], "jeton"),
            stake=STAKE_NAMES[end.stake],
        ),
    )


def alone(moment: Moment) -> Text:
    """The first stake that was won without a showdown."""
    end = _ended(moment, StakeEnd.ALONE)
    if end is None:
        return ()
    announced = end.announced
    paid = (
        moment.say(
            N_("Every other player also pays for the announced class, here a {name}, whether it is there or not."),
            name=CLASS_NAMES[announced],
        )
        if announced is not None
        else ""
    )
    return (
        _by_winner(
            moment,
            end,
            N_("You are the only one left in, and take the pool of {jetons}."),
            N_("{name} is the only one left in, and takes the pool of {jetons}."),
        ),
        moment.say(N_("Who is left alone need not show a card. That is how a bluff wins.")),
        paid,
    )


def shown(moment: Moment) -> Text:
    """The first stake that was won at a showdown."""
    end = _ended(moment, StakeEnd.SHOWN)
    if end is None:
        return ()
    return (
        _by_winner(
            moment,
            end,
            N_("Your cards are the best, and you take the pool of {jetons} for {stake}."),
            N_("{name} has shown the best cards, and takes the pool of {jetons} for {stake}."),
        ),
        moment.say(
            N_(
                "In Sequence and Tricon everybody also pays for the cards shown, even those who had given up. For "
                "Point there is the pool only."
            )
        ),
    )


def nothing(moment: Moment) -> Text:
    """The first stake for which all who stayed had bluffed."""
    end = _ended(moment, StakeEnd.NOTHING)
    if end is None:
        return ()
    return (
        moment.say(N_("All who stayed in were bluffing: none of them could announce anything.")),
        _by_winner(
            moment,
            end,
            N_("The pool of {jetons} then goes by position, to whoever sits nearest to the eldest. That is you."),
            N_("The pool of {jetons} then goes by position, to whoever sits nearest to the eldest: to {name}."),
        ),
    )


def showdown(moment: Moment) -> Text:
    """The first showdown."""
    state = moment.state_in(Phase.SHOWDOWN)
    if state is None or state.showdown is None:
        return ()
    us = moment.snapshot.our_seat
    others = enumerated([moment.name(seat) for seat in state.showdown.contestants if seat != us])
    return (
        moment.say(N_("This is a showdown, since more than one is still in: you, {others}."), others=others)
        if us in state.showdown.contestants
        else moment.say(N_("This is a showdown, since more than one is still in: {others}."), others=others),
        moment.say(
            N_(
                "In turn each announces what he has, or says good if he cannot beat the best so far. The best shows "
                "its cards and wins. Who cannot show what he announced pays a fine of 5."
            )
        ),
    )


def show(moment: Moment) -> Text:
    """The first time that we win, and choose what to show."""
    state = moment.our_turn_in(Phase.SHOW)
    if state is None or state.showdown is None or moment.view is None:
        return ()
    if state.showdown.claims[moment.view.seat] is None:
        return (
            moment.say(N_("You are alone in this stake, and the pool is yours.")),
            moment.say(
                N_(
                    "Take it unseen, and you are paid for what you announced; nobody learns whether you had it. Or "
                    "show cards, and you are paid for everything that you show."
                )
            ),
        )
    return (
        moment.say(N_("Your announcement is the best. Show its cards, and the stake is yours.")),
        moment.say(
            N_("In Sequence and Tricon you are paid for every combination that you show, not only for the best.")
        ),
    )


def blanche(moment: Moment) -> Text:
    """Before the play."""
    state = moment.our_turn_in(Phase.BLANCHE)
    if state is None:
        return ()
    courts = [card for card in moment.hand if card.is_court]
    return (
        moment.say(
            N_(
                "Carte blanche is a hand without a king, queen or jack. It earns 10 jetons from everybody, and is "
                "proved without showing the hand."
            )
        ),
        moment.say(N_("You hold {cards}, so there is nothing to claim: go on."), cards=moment.cards(courts))
        if courts
        else moment.say(N_("You hold no such card. Claim it!")),
    )


def _our_call(moment: Moment, stake: Stake) -> bool:
    state = moment.our_turn_in(Phase.AUCTION)
    return state is not None and state.stake is stake


def _ended(moment: Moment, end: StakeEnd) -> StakeClosed | None:
    """The latest stake that ended so."""
    ends = [event for event in moment.happened(StakeClosed) if event.end is end]
    return ends[-1] if ends else None


def _by_winner(moment: Moment, end: StakeClosed, ours: str, theirs: str) -> str:
    """The one sentence where we took the pool, else the other."""
    fields = {"jetons": counted(end.pool, "jeton"), "stake": STAKE_NAMES[end.stake]}
    if end.winner is None or end.winner == moment.snapshot.our_seat:
        return moment.say(ours, **fields)
    return moment.say(theirs, name=moment.name(end.winner), **fields)


def _held(moment: Moment, holding: Holding) -> str:
    """``7♠ 8♠ 9♠: a tierce``, ``2♣ 5♣ T♣: 3 cards, 17 points``."""
    cards = moment.cards(holding.cards)
    if holding.combination is None:
        claim = describe_claim(Stake.POINT, holding.claim)
        return moment.say(N_("{cards}: {claim}"), cards=cards, claim=claim)
    name = CLASS_NAMES[holding.combination]
    if holding.is_major:
        return moment.say(N_("{cards}: a {name} major"), cards=cards, name=name)
    return moment.say(N_("{cards}: a {name}"), cards=cards, name=name)


def _ours(moment: Moment, stake: Stake) -> str:
    """What we hold for Sequence or Tricon."""
    best = moment.best(stake, moment.view.seat) if moment.view is not None else None
    if best is not None:
        return moment.say(N_("You hold {held}."), held=_held(moment, best))
    if stake is Stake.SEQUENCE:
        return moment.say(N_("You hold no run of three. You may still come in: that is a bluff."))
    return moment.say(N_("You hold no three of a rank. You may still come in: that is a bluff."))


def _comparison(moment: Moment, stake: Stake) -> str:
    """Who would win at a showdown: what only open hands tell."""
    winner = moment.would_win(stake)
    if winner is None:
        return moment.say(N_("The open hands tell that nobody has one: the boldest takes the pool."))
    if winner == moment.snapshot.our_seat:
        return moment.say(N_("The open hands tell that you would win a showdown: make the others pay for it."))
    best = moment.best(stake, winner)
    held = _held(moment, best) if best is not None else ""
    return moment.say(
        N_(
            "The open hands tell that {name} would win, with {held}. But {name} does not know that: a raise may be "
            "enough to win without a showdown."
        ),
        name=moment.name(winner),
        held=held,
    )
