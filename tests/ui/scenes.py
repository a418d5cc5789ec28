"""Named pictures of every page, and their drawings as text files under ``screens/``.

``python -m tests.ui.scenes`` writes the files anew; read the difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hocp2p.game.actions import Action, Announce, Claim, Combination, Play, Stake, Stay
from hocp2p.game.cards import parse_card
from hocp2p.game.house import Rules
from hocp2p.game.state import Phase
from hocp2p.session.forced import forced_answer
from hocp2p.session.reasons import Advice, reasons
from hocp2p.table.events import DealSigned, TableStopped, TalkSaid
from hocp2p.table.snapshot import Clock, Knock, SeatInfo, Stage, TableSnapshot, Way
from hocp2p.ui.cells import text_of
from hocp2p.ui.local import Local, Page, Question, Sort
from hocp2p.ui.presenter import view
from hocp2p.ui.words import describe_action
from tests.support.fake_client import FakeClient, scripted_chooser, stacked_deck

SCREENS = Path(__file__).parent / "screens"
SIZES = ((60, 16), (80, 24), (120, 36), (200, 60))
Scene = tuple[TableSnapshot, Local]

ANNA = "2S 5S 6S 7S 4H JH 3D JD 7C 8C 9C QC"
BRUNO = "AS 3S KS 5H 6H 7H TD QD KD 2C 3C TC"
BOT = "AH 2D 8S 9S TS 8H 9H TH KC AC 4C 6D"
INVITE = "hoc1-075g0w873kstakea30jk1erxdm9jsqpp4dxjxp8y7xs1zjrse4bm9hhb"
WAYS = (
    Way("LAN", "192.168.1.4:7411"),
    Way("UPnP", "203.0.113.7:7411", "closed when you quit"),
    Way("IPv6", "[2001:db8::7]:7411"),
)
PLAIN = "2S 3S 4S 5S 6H 7H 8H 9H TD 9D 2C 4C"  # no court
ANNA_15 = "2S 5S 6S 7S 4H JH QH 3D JD KD AC 7C 8C 9C QC"
BRUNO_15 = "AS 3S 4S 8S 9S 2H 5H 8H 9H AD 2D 5D 6D 2C 3C"


class Story:
    """A fake table played to the point of interest.

    Args:
        others: what the others say, in order.
        hands: by seat; two or three.
        dealer: of the first deal.
        rules: house rules.
        ask_ready: whether the next deal waits for us.
    """

    def __init__(
        self,
        *others: str,
        hands: tuple[str, ...] = (ANNA, BRUNO, BOT),
        dealer: int = 1,
        rules: Rules | None = None,
        ask_ready: bool = False,
    ) -> None:
        self.client = FakeClient(
            seats=len(hands),
            decks=(stacked_deck(dealer, *hands),),
            dealer=dealer,
            chooser=scripted_chooser(*others),
            rules=rules,
            ask_ready=ask_ready,
        )
        self.pictures: list[TableSnapshot] = []
        self.client.listen(lambda snapshot, _events: self.pictures.append(snapshot))
        self.client.ready()

    def say(self, *lines: str) -> Story:
        """Our own words in order."""
        for line in lines:
            view = self.client.snapshot.view
            assert view is not None
            legal = self.client.snapshot.legal
            said = {describe_action(action, stake=view.state.stake, ascii=True): action for action in legal}
            assert line in said, f"{line!r} is not one of {list(said)}"
            self.client.act(said[line])
        return self

    def to_play(self) -> Story:
        """Nothing is bid for: straight to the cards."""
        while self.phase in (Phase.AUCTION, Phase.SHOWDOWN, Phase.SHOW, Phase.BLANCHE):
            self.client.act(self.client.snapshot.legal[0])
        return self

    def to_end(self, choose: Callable[[tuple[Action, ...]], Action] = lambda legal: legal[0]) -> Story:
        """Plays all deals out."""
        while self.client.snapshot.legal:
            self.client.act(choose(self.client.snapshot.legal))
        return self

    @property
    def phase(self) -> Phase | None:
        """Of the present deal."""
        view = self.client.snapshot.view
        return view.state.phase if view is not None else None

    def first(self, wanted: Callable[[TableSnapshot], bool]) -> TableSnapshot:
        """The first picture that is wanted."""
        return next(picture for picture in self.pictures if wanted(picture))

    @property
    def now(self) -> TableSnapshot:
        """The latest picture."""
        return self.client.snapshot


def _settled(story: Story, number: int) -> TableSnapshot:
    """The picture in which a deal has just been signed."""
    return story.first(lambda picture: any(_is_signing(event, number) for event in picture.events))


def _is_signing(event: object, number: int) -> bool:
    return isinstance(event, DealSigned) and event.number == number


def _lobby(*, hosting: bool) -> Scene:
    ready = FakeClient().snapshot
    seats = (replace(ready.seats[0], ready=False), replace(ready.seats[1], ready=False), SeatInfo(2, ""))
    talk = (TalkSaid(1, "good evening"),)
    lobby = replace(
        ready,
        stage=Stage.LOBBY,
        seats=seats,
        hosting=hosting,
        may_manage=hosting,
        invite=INVITE if hosting else "",
        ways=WAYS if hosting else (),
        may_ready=False,
        events=talk,
    )
    return lobby, Local()


def _outside() -> Scene:
    """A guest who knocks."""
    lobby, local = _lobby(hosting=False)
    return replace(lobby, title="", seats=(), our_seat=None, events=()), local


def _meeting() -> dict[str, Scene]:
    """Who comes, and who has gone."""
    lobby, local = _lobby(hosting=True)
    knocks = (Knock(1, "Carla", "r4t9-v0ja"), Knock(2, "Dora \x1b[2J", "zz00-1234"))
    asked = replace(lobby, knocks=knocks)
    empty = replace(lobby, parted=True, may_resize=True, balances=(93, 101, 106), deal=2)
    playing = Story("play AH", "play 2D", "sans 3").to_play().now
    unheard = replace(playing, seats=_with(playing, 1, linked=False))
    long = replace(playing, seats=_with(unheard, 1, linked=False), may_give_up=frozenset({1}))
    voted = replace(long, seats=_with(long, 1, votes=frozenset({0, 2})))
    away = Local(unheard=((1, 100.0),), now_s=120.5)
    later = replace(away, now_s=200.0)
    others = replace(ready_of(lobby), may_ready=False, parted=True)
    ipv6 = replace(lobby, invite=INVITE + INVITE[-20:])
    return {
        "lobby-knocks": (asked, local),
        "lobby-parted": (empty, local),
        "ready-parted": (others, local),
        "invite": (lobby, Local(page=Page.INVITE)),
        "invite-long": (ipv6, Local(page=Page.INVITE)),
        "invite-in-play": (replace(playing, hosting=False, invite=INVITE), Local(page=Page.INVITE)),
        "play-unheard": (unheard, away),
        "play-may-give-up": (long, later),
        "play-give-up-question": (long, replace(later, asking=Question.GIVE_UP)),
        "play-voted": (voted, later),
        "lobby-leave-question": (lobby, Local(asking=Question.LEAVE)),
    }


def _with(snapshot: TableSnapshot, seat: int, **fields: Any) -> tuple[SeatInfo, ...]:
    return tuple(replace(info, **fields) if info.seat == seat else info for info in snapshot.seats)


def ready_of(lobby: TableSnapshot) -> TableSnapshot:
    """The lobby once its chairs are filled."""
    return replace(FakeClient().snapshot, events=lobby.events)


def _managed() -> dict[str, Scene]:
    """What the host does before the game."""
    free = FakeClient(free=2).snapshot
    full = FakeClient().snapshot
    changed = full.rules.with_text("deals", "9").with_text("point", "pips")
    low = FakeClient(rules=Rules(raise_cap=3)).snapshot
    master = replace(low.seats[2], seat=1, name="bot 2", bot_level="master", key="zz00-1234")
    joining, _ = _lobby(hosting=True)
    alone = (low.seats[0], replace(master, ready=False), SeatInfo(2, ""))
    return {
        "lobby-two-free": (free, Local(chair=2)),
        "lobby-bots-alone": (replace(free, address=""), Local()),
        "lobby-chair-chosen": (full, Local(chair=2)),
        "lobby-chair-question": (full, Local(chair=1, asking=Question.CHAIR)),
        "lobby-help": (full, Local(page=Page.HELP)),
        "lobby-low-raises": (replace(joining, rules=low.rules, seats=alone, events=()), Local()),
        "ready-low-raises": (replace(low, seats=(low.seats[0], master, low.seats[2])), Local()),
        "house-rules": (full, Local(page=Page.RULES, draft=full.rules)),
        "house-rules-changed": (full, Local(page=Page.RULES, draft=changed, rule=4)),
    }


def scenes() -> dict[str, Scene]:
    """Every page by name."""
    ready = FakeClient().snapshot
    opening = Story().now
    found: dict[str, Scene] = {
        "lobby-host": _lobby(hosting=True),
        "lobby-guest": _lobby(hosting=False),
        "lobby-outside": _outside(),
        "ready": (ready, Local()),
        "ready-waiting": (replace(ready, may_ready=False), Local()),
        "draw": (_drawing(), Local()),
        "dealing": (Story().first(lambda picture: picture.stage is Stage.DEALING), Local()),
        "auction-unopened": (opening, Local()),
        "auction-not-our-turn": (
            Story().first(lambda picture: picture.stage is Stage.DEAL),
            Local(sort=Sort.COMBINATION),
        ),
        "auction-typing-talk": (opening, Local(typing="is this seat taken? ☺")),
        "auction-leave-question": (opening, Local(asking=Question.LEAVE)),
        "help-auction": (opening, Local(page=Page.HELP)),
        "score-before-any": (opening, Local(page=Page.SCORE)),
    }
    return found | _managed() | _meeting() | _auctions() | _plays() | _ends()


def _forced(phase: Phase) -> TableSnapshot:
    """Anna, who has no hoc and no other choice."""
    story = Story(hands=(ANNA.replace("JD", "TS"), BRUNO, BOT.replace("TS", "JD")), dealer=2).to_play().to_end()
    return story.first(lambda picture: _phase(picture) is phase and forced_answer(picture) is not None)


def _phase(picture: TableSnapshot) -> Phase | None:
    return picture.view.state.phase if picture.view is not None else None


# Hints are written down here: what is advised changes when the bots are trained anew, and how it is drawn does not.

STAY_FOR_POINT = Advice(
    Stay(), (reasons.ChanceToWinStake(Stake.POINT, 0.307, 3, 6), reasons.SaidMostly(Stay(), 6)), Stake.POINT
)
STAY_FOR_SEQUENCE = Advice(
    Stay(), (reasons.ChanceToWinStake(Stake.SEQUENCE, 0.946, 2, 9), reasons.SaidMostly(Stay(), 8)), Stake.SEQUENCE
)
ANNOUNCE = Advice(
    Announce(Claim(4, 34)),
    (reasons.AnnouncesBest(), reasons.BeatsAnnounced(2, Claim(4, 28), Stake.POINT)),
    Stake.POINT,
)
FOLLOW = Advice(
    Play(19, parse_card("3D")),
    (reasons.Expects(-1, Play(22, parse_card("JD")), -5), reasons.KeepsLead(10, 0.0215, 0.00005)),
    None,
    parse_card("9C"),
)
LEAD = Advice(
    Play(0, parse_card("2S")), (reasons.Expects(11, Play(9, parse_card("7S")), 9), reasons.OnlyHocStops()), None
)


def _drawing() -> TableSnapshot:
    client = FakeClient()
    pictures: list[TableSnapshot] = []
    client.listen(lambda snapshot, _events: pictures.append(snapshot))
    client.ready()
    return [picture for picture in pictures if picture.stage is Stage.DRAW][-1]


def _auctions() -> dict[str, Scene]:
    opened = Story("declare", "raise 3").say("stay").now
    sequence = Story("pass", "pass", "declare, tierce", "raise 2, quart").say("pass", "stay, tierce").now
    doubled = Story(rules=Rules(deals=3)).to_play()
    while doubled.now.deal == 1:
        doubled.client.act(doubled.now.legal[0])
    announce = Story("declare", "stay").say("stay").now
    show = Story("declare", "good", "stay").say("raise 2", "announce 4 cards, 34 points").now
    shown = Story("pass", "pass", "declare, tierce", "good", "good").say("pass", "raise 5, quart").now
    blanche = Story(hands=(PLAIN, BRUNO.replace("3S", "QS").replace("5H", "QH").replace("6H", "AD").replace("7H", "3D")
                           .replace("TD", "7D").replace("2C", "5D"), BOT.replace("9S", "7C").replace("8S", "KH")
                           .replace("8H", "8D").replace("9H", "7S").replace("4C", "JC")))  # fmt: skip
    while blanche.phase is not Phase.BLANCHE:
        blanche.client.act(blanche.now.legal[0])
    return {
        "auction-raised": (opened, Local(choice="r", raise_by=12, digits=True)),
        "auction-raise-question": (opened, Local(choice="r", raise_by=12, asking=Question.CALL)),
        "auction-refused": (opened, Local(message="you cannot declare now: choose one of the calls shown")),
        "auction-sequence": (sequence, Local(choice="r", raise_by=3, announced=Combination.QUINT)),
        "auction-hint": (opened, Local(advice=STAY_FOR_POINT)),
        "auction-hint-sequence": (sequence, Local(advice=STAY_FOR_SEQUENCE)),
        "showdown-hint": (announce, Local(advice=ANNOUNCE)),
        "auction-doubled": (doubled.now, Local(acked=1, choice="d")),
        "showdown": (announce, Local()),
        "show": (show, Local()),
        "show-lone-winner": (shown, Local()),
        "blanche": (blanche.now, Local()),
    }


def _plays() -> dict[str, Scene]:
    third = parse_card("3D")
    called = Story("play AH", "play 2D", "sans 3").to_play().now
    lead = Story(dealer=2).to_play().now
    hoc = Story("play 4C", "sans 5").to_play().say("play 5S", "play 6S", "play 7S", "play 8C", "play 9C").now
    fined = Story("play 2D", rules=Rules(hold_back="fined")).to_play().now
    two = Story(hands=(ANNA_15, BRUNO_15), dealer=0).to_play().now
    led_hoc = Story("play AH", "play 2D", "sans 3").to_play().say("play JD").now
    long = Story("play AH", "play 2D", "sans 3", "play KD").to_play()
    long.say("play 3D", "play 4H", "play 5S", "play 6S", "play 7S", "play 8C", "play 9C")
    talking = Story("play AH", "play 2D", "sans 3").to_play()
    seats = tuple(replace(info, away=info.seat == 1) for info in talking.now.seats)
    talking.client.hear(TalkSaid(1, "one moment, 電話 \x1b[2J \U0001f600"), seats=seats)
    away = tuple(replace(info, away=info.seat == 0) for info in called.seats)
    clock = Clock(frozenset({0}), 100.0, 60.0, (120.0, 75.5, 120.0))
    gone = Story("play AH", "play 2D", "sans 3").to_play()
    gone.client.lose(2, "left the table")
    others = Story("play AH", "play 2D").to_play()
    theirs = others.first(
        lambda picture: bool(picture.view and picture.view.state.play and picture.view.state.play.run)
    )
    return {
        "play-called": (called, Local()),
        "play-picked-illegal": (called, Local(picked=parse_card("QC"), message="a 3 is called: Q♣ is neither")),
        "play-picked-hoc": (called, Local(picked=parse_card("JD"))),
        "play-by-rank": (called, Local(picked=third, sort=Sort.RANK)),
        "play-lead": (lead, Local()),
        "play-hoc-or-sans": (hoc, Local()),
        "play-withhold": (fined, Local()),
        "play-withhold-question": (fined, Local(choice="w", asking=Question.CALL)),
        "play-two-seats": (two, Local()),
        "play-after-hoc": (led_hoc, Local()),
        "play-long-run": (long.now, Local()),
        "play-away": (talking.now, Local()),
        "play-gone": (gone.now, Local()),
        "play-clock": (replace(called, clock=clock), Local(now_s=112.0)),
        "play-bank": (replace(called, clock=clock, seats=away), Local(now_s=171.2)),
        "play-not-our-turn": (theirs, Local(waiting=2)),
        "log": (talking.now, Local(page=Page.LOG)),
        "log-scrolled": (talking.now, Local(page=Page.LOG, scroll=4)),
        "help-play": (called, Local(page=Page.HELP)),
        "help-scrolled": (called, Local(page=Page.HELP, scroll=8)),
        "blanche-forced": (_forced(Phase.BLANCHE), Local(forced=True)),
        "play-forced": (_forced(Phase.PLAY), Local(forced=True)),
        "play-hint": (called, Local(advice=FOLLOW)),
        "play-hint-lead": (lead, Local(advice=LEAD)),
        "proofs-so-far": (talking.now, Local(page=Page.PROOFS)),
    }


def _ends() -> dict[str, Scene]:
    story = Story("declare", "raise 4", "stay", rules=Rules(deals=3)).to_end(
        lambda legal: legal[min(1, len(legal) - 1)]
    )
    first = _settled(story, 1)
    asked = Story(rules=Rules(deals=3), ask_ready=True).to_play()
    while not asked.now.finished:
        asked.client.act(asked.now.legal[0])
    others = Story(rules=Rules(deals=3), ask_ready=True).to_play()
    while not others.now.finished:
        others.client.act(others.now.legal[0])
    others.client.show_hand()
    shown = others.now
    proof = TableStopped("bad-proof", "Bruno sent a proof that does not hold", 1, "play 1/7")
    why = "bot 3 broke the protocol at deck 2/3: the proof of the shuffle does not hold; the table cannot go on"
    shuffle = TableStopped("shuffle-proof", why, 2, "deck 2/3")
    lost = TableStopped("seat-lost", "Bruno left the table; the table cannot go on", 1)
    host = TableStopped("closed", "Anna has closed the table")
    return {
        "stopped": (_stopped(proof), Local()),
        "stopped-shuffle": (_stopped(shuffle), Local()),
        "stopped-seat-lost": (_stopped(lost), Local()),
        "stopped-host-gone": (_stopped(host), Local()),
        "proofs": (shown, Local(page=Page.PROOFS, acked=1)),
        "settlement": (first, Local()),
        "settlement-deal-waits": (first, Local(waiting=9, turn_waits=True)),
        "match-so-far": (_settled(story, 2), Local(page=Page.SCORE, acked=2)),
        "settlement-may-show": (asked.now, Local()),
        "settlement-hand-question": (asked.now, Local(asking=Question.SHOW)),
        "settlement-hand-shown": (shown, Local()),
        "next-deal-waits-for-others": (replace(shown, may_ready=False), Local(acked=1)),
        "last-settlement": (story.now, Local(acked=2)),
        "match-end": (story.now, Local(acked=3)),
    }


def _stopped(stopped: TableStopped) -> TableSnapshot:
    story = Story().to_play()
    story.client.stop(stopped)
    return story.now


def drawing(scene: Scene) -> str:
    """A scene at every size, in Unicode and in ASCII, as one text."""
    parts = []
    for ascii_only in (False, True):
        for cols, rows in SIZES:
            lines = view(*scene, cols, rows, ascii=ascii_only)
            heading = f"== {cols}x{rows} {'ascii' if ascii_only else 'unicode'} =="
            parts.append("\n".join([heading, *(text_of(line).rstrip() for line in lines)]))
    return "\n".join(parts) + "\n"


def main() -> None:
    """Writes all drawings anew."""
    drawings = {name: drawing(scene) for name, scene in scenes().items()}
    SCREENS.mkdir(exist_ok=True)
    for old in SCREENS.glob("*.txt"):
        old.unlink()
    for name, text in drawings.items():
        (SCREENS / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
