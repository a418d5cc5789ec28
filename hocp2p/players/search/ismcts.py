"""Information set Monte-Carlo tree search (Cowling, Powley and Whitehouse 2012): the yardstick of the play.

One tree for the seat that decides (SO-ISMCTS). Each iteration draws a world, walks down the tree by the actions that
are legal in that world, opens one new node, plays on by rules of thumb, and adds what everybody won to the nodes on its
way. A node counts how often it could have been chosen, since that depends on the world.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from hocp2p.errors import LocalError
from hocp2p.game.actions import Action
from hocp2p.game.state import SeatView
from hocp2p.players.belief.sampler import generator_of
from hocp2p.players.engine.play import HOLD, Play
from hocp2p.players.net.policy import action_of
from hocp2p.players.player import Rng
from hocp2p.players.search.moment import Moment
from hocp2p.players.search.thumb import choose_by_thumb


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """How much is searched.

    Args:
        iterations: worlds drawn for a decision, at least 1.
        exploration: weight of what was tried seldom, in jetons.

    Raises:
        LocalError: ``bad-search`` for other figures.
    """

    iterations: int = 2000
    exploration: float = 16.0

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.exploration < 0:
            raise LocalError("bad-search", "a search has an iteration or more, and explores")

    def choose(self, view: SeatView, rng: Rng) -> Action:
        """What the seat whose turn it is does: never *hold*. Raises RuleError as :meth:`Moment.of`."""
        generator = generator_of(rng)
        moment = Moment.of(view, generator)
        legal = _legal(moment.play)
        if len(legal) == 1:
            return action_of(view, legal[0])
        root = Node(moment.play.turn)
        for play in moment.plays(moment.sampler.sample(generator, self.iterations)):
            self._iterate(root, play, rng)
        visits = {action: root.children[action].visits for action in legal if action in root.children}
        return action_of(view, max(visits, key=visits.__getitem__))

    def _iterate(self, root: Node, play: Play, rng: Rng) -> None:
        """One walk down the tree, and the play to its end; ``play`` is changed."""
        node = root
        path = [root]
        while play.turn >= 0:
            legal = _legal(play)
            children, place = node.children, play.turn
            untried = [action for action in legal if action not in children]
            if untried:
                action = untried[int(rng.random() * len(untried))]
                children[action] = Node(place)
            else:
                action = self._select(node, legal)
            for other in legal:
                if other in children:
                    children[other].available += 1
            node = children[action]
            path.append(node)
            play.apply(action)
            if untried:
                break
        play.play_out(choose_by_thumb)
        net = play.net()
        for node in path:
            node.visits += 1
            node.won += net[node.place]

    def _select(self, node: Node, legal: tuple[int, ...]) -> int:
        """The action with the highest upper bound (UCB1, over the times that it could be chosen)."""
        children, weight = node.children, self.exploration
        best, most = legal[0], float("-inf")
        for action in legal:
            child = children[action]
            bound = child.won / child.visits + weight * sqrt(log(child.available) / child.visits)
            if bound > most:
                best, most = action, bound
        return best


class Node:
    """What came of an action.

    Attributes:
        place: who did it.
        visits: how often it was chosen.
        available: how often it could have been.
        won: what ``place`` won in all, in jetons.
        children: by action that follows.
    """

    __slots__ = ("available", "children", "place", "visits", "won")

    def __init__(self, place: int) -> None:
        self.place = place
        self.visits = 0
        self.available = 0
        self.won = 0
        self.children: dict[int, Node] = {}


def _legal(play: Play) -> tuple[int, ...]:
    """What may be done without a fine: *hold*, where it is offered, stands last."""
    legal = play.legal()
    return legal[:-1] if legal[-1] == HOLD else legal
