"""The net of the play: what an action is worth, from what its player may know.

A perceptron with two hidden layers gives ``Q(s, a)``, as in Deep Monte-Carlo (Zha et al., *DouZero*, 2021): the jetons
that its player wins from now to the end of the deal if he does ``a`` and all play on as the net does. Its first layer
is split, so that the part of the state is computed once for all actions.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import IO, Final
from zipfile import BadZipFile

import numpy as np

from hocp2p.errors import LocalError
from hocp2p.game.house import CHOICES, HAND_SIZE
from hocp2p.game.play import HOC_PAY
from hocp2p.players.engine.batch import ACTIONS, FULL_DECK, Bools
from hocp2p.players.engine.play import CARDS_DUE
from hocp2p.players.net.features import (
    ACTION_SIZE,
    Floats,
    action_features,
    chances,
    prospects,
    state_features,
    state_size,
)
from hocp2p.players.net.observation import Observation

SCALE: Final = 10
"""Jetons to one unit of the net's output."""


@dataclass(slots=True)
class Net:
    """Weights, all float32. ``F`` and ``A`` are the sizes of the features, ``H`` and ``K`` of the hidden layers.

    Args:
        state, action, bias: ``[F, H]``, ``[A, H]``, ``[H]``, the first layer.
        middle, middle_bias: ``[H, K]``, ``[K]``, the second.
        last, last_bias: ``[K]``, ``[1]``, the output.
    """

    state: Floats
    action: Floats
    bias: Floats
    middle: Floats
    middle_bias: Floats
    last: Floats
    last_bias: Floats

    @classmethod
    def drawn(cls, seats: int, hidden: tuple[int, int], generator: np.random.Generator) -> Net:
        """At random, as He et al. (2015) advise for rectified units; the output begins at zero.

        ``hidden``: units of the two hidden layers.
        """
        rows, (first, second) = state_size(seats) + ACTION_SIZE, hidden
        entering = generator.standard_normal((rows, first)) * np.sqrt(8 / rows)  # most features are zero
        middle = generator.standard_normal((first, second)) * np.sqrt(2 / first)
        zeros = [np.zeros(size, np.float32) for size in (first, second, second, 1)]
        split = state_size(seats)
        return cls(
            state=entering[:split].astype(np.float32),
            action=entering[split:].astype(np.float32),
            bias=zeros[0],
            middle=middle.astype(np.float32),
            middle_bias=zeros[1],
            last=zeros[2],
            last_bias=zeros[3],
        )

    @property
    def weights(self) -> list[Floats]:
        """All arrays, in the order of the fields; to change them is to change the net."""
        return [getattr(self, field.name) for field in fields(self)]

    def values(self, observed: Observation, legal: Bools | None = None) -> Floats:
        """What each action is worth to the player who is to move.

        Args:
            observed: of ``N`` players.
            legal: ``[N, 14]``, the actions that are asked for; all that are legal unless told.

        Returns:
            ``[N, 14]`` by action of :class:`~hocp2p.players.engine.play.Play`: jetons from now to the end of the deal;
            minus infinity for what is not legal.
        """
        around = chances(observed)
        after = prospects(observed, around, legal)
        out = self.forward(state_features(observed, around), action_features(observed, around, after), after.rows)
        table = np.full((len(observed), ACTIONS), -np.inf, np.float32)
        table[after.rows, after.actions] = out * np.float32(SCALE)
        return table

    def forward(self, state: Floats, action: Floats, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
        """``[M]``, in units of ``SCALE`` jetons.

        Args:
            state: ``[N, F]``.
            action: ``[M, A]``.
            rows: ``[M]``, to which row of ``state`` each of ``action`` belongs.
        """
        first = action @ self.action
        first += (state @ self.state + self.bias)[rows]
        np.maximum(first, 0, out=first)
        second = first @ self.middle
        second += self.middle_bias
        np.maximum(second, 0, out=second)
        out: Floats = np.asarray(second @ self.last, np.float32)
        out += self.last_bias
        return out


def rules_digest(seats: int) -> str:
    """What weights are good for: the rules that decide the play, and the features that the net is fed with.

    Both choices of the house rule ``fortuitous`` are among the features. The others do not touch the play of those who
    hold nothing back.
    """
    facts = (
        f"seats={seats}",
        f"hand={HAND_SIZE[seats]}",
        f"deck={FULL_DECK.tolist()}",
        f"hoc={HOC_PAY}",
        f"left={CARDS_DUE}",
        f"fortuitous={CHOICES['fortuitous']}",
        f"features={state_size(seats)}+{ACTION_SIZE}",
    )
    return hashlib.sha256(";".join(("hocp2p play", *facts)).encode()).hexdigest()


def save_net(net: Net, seats: int, file: IO[bytes]) -> None:
    """Writes the weights as float16, with the digest of the rules that they are for."""
    arrays = {field.name: getattr(net, field.name).astype(np.float16) for field in fields(net)}
    np.savez(file, allow_pickle=False, digest=np.array(rules_digest(seats)), **arrays)


def read_net(file: IO[bytes], seats: int) -> Net:
    """The inverse of :func:`save_net`.

    Raises LocalError: ``bad-weights`` for a file that holds no net, ``other-rules`` for a net of other rules.
    """
    try:
        with np.load(file) as arrays:
            digest = str(arrays["digest"])
            weights = [arrays[field.name].astype(np.float32) for field in fields(Net)]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise LocalError("bad-weights", f"This file holds no net for the play: {error}") from error
    if digest != rules_digest(seats):
        raise LocalError("other-rules", f"These weights are not for the play of {seats} by the rules of this version.")
    return Net(*weights)


@cache
def shipped_net(seats: int) -> Net:
    """The net that comes with the program, for two or three players. Raises LocalError as :func:`read_net`."""
    try:
        file = files("hocp2p.players").joinpath("weights", f"play{seats}.npz").open("rb")
    except OSError as error:
        raise LocalError("bad-weights", f"There is no net for the play of {seats}: {error}") from error
    with file:
        return read_net(file, seats)
