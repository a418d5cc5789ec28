"""Where a setting comes from, and what is said about a bad one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocp2p.cli.settings import NAMES, Settings, find_settings, read_settings
from hocp2p.cli.values import MAX_NAME_CHARACTERS, READERS, login_name
from hocp2p.errors import LocalError
from hocp2p.net.address import DEFAULT_PORT
from hocp2p.wire import frames

NOWHERE = Path("/nonexistent/config.toml")


def read(
    flags: dict[str, object] | None = None, environ: dict[str, str] | None = None, config: Path = NOWHERE
) -> Settings:
    return read_settings(flags or {}, environ or {}, config)


def refusal(*arguments: Any, **named: Any) -> LocalError:
    with pytest.raises(LocalError) as caught:
        read(*arguments, **named)
    assert "\n" not in caught.value.message
    return caught.value


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_defaults() -> None:
    settings = read()
    assert settings == Settings()
    assert settings.port == DEFAULT_PORT
    assert (settings.deals, settings.level, settings.bots, settings.seats) == (6, "novice", 0, None)


def test_every_setting_has_a_reader_and_a_field() -> None:
    assert set(Settings.__slots__) == NAMES == set(READERS) | {"house"}


VALUES: dict[str, tuple[str, str, str, list[Any]]] = {
    # in the file, in the environment, as a flag; what they come to
    "seats": ("2", "3", "2", [2, 3, 2]),
    "bots": ("0", "1", "2", [0, 1, 2]),
    "level": ('"random"', "novice", "random", ["random", "novice", "random"]),
    "deals": ("12", "9", "3", [12, 9, 3]),
    "name": ('"Anna"', "Bruno", "Carla", ["Anna", "Bruno", "Carla"]),
    "owner": ('"Anna"', "Bruno", "Carla", ["Anna", "Bruno", "Carla"]),
    "bind": ('"127.0.0.1"', "::1", "10.0.0.1", ["127.0.0.1", "::1", "10.0.0.1"]),
    "port": ("0", "1", "65535", [0, 1, 65535]),
    "autopilot": ('"random"', "novice", "random", ["random", "novice", "random"]),
    "pace": ("1", "0.5", "0", [1.0, 0.5, 0.0]),
    "open": ("true", "0", "true", [True, False, True]),
    "lan": ("false", "1", "false", [False, True, False]),
    "upnp": ("true", "0", "true", [True, False, True]),
    "direct": ("false", "1", "false", [False, True, False]),
    "advertise": ('"a.example:1"', "[::1]:2", "b", ["a.example:1", "[::1]:2", "b:7411"]),
    "via": ('"http://a:1"', "socks5://b:2", "http://c:3", ["http://a:1", "socks5h://b:2", "http://c:3"]),
    "plain": ("true", "0", "true", [True, False, True]),
    "json": ("true", "no", "true", [True, False, True]),
    "ascii": ("true", "off", "true", [True, False, True]),
    "yes": ("true", "false", "true", [True, False, True]),
    "color": ('"never"', "always", "auto", ["never", "always", "auto"]),
    "theme": ('"light"', "contrast", "mono", ["light", "contrast", "mono"]),
    "suit_colours": ("4", "2", "4", [4, 2, 4]),
    "mouse": ("false", "1", "false", [False, True, False]),
    "bell": ("false", "on", "false", [False, True, False]),
    "hints": ("false", "on", "false", [False, True, False]),
    "auto_sans": ("true", "off", "true", [True, False, True]),
    "lang": ('"fr"', "ru", "en", ["fr", "ru", "en"]),
    "identity": ('"/a"', "/b", "/c", [Path("/a"), Path("/b"), Path("/c")]),
}


@pytest.mark.parametrize("name", sorted(NAMES - {"house", "script"}))
def test_flag_before_environment_before_file(tmp_path: Path, name: str) -> None:
    in_file, in_environ, flag, expected = VALUES[name]
    config = write(tmp_path, f"{name} = {in_file}")
    environ = {f"HOCP2P_{name.upper()}": in_environ}
    found = [
        getattr(read({}, {}, config), name),
        getattr(read({}, environ, config), name),
        getattr(read({name: flag}, environ, config), name),
    ]
    assert found == expected
    assert getattr(read({name: None}, environ, config), name) == expected[1]  # a flag that was not given
    assert getattr(read({}, {f"HOCP2P_{name.upper()}": ""}, config), name) == expected[0]  # nor an empty variable


def test_house_rules_are_joined_switch_by_switch(tmp_path: Path) -> None:
    config = write(tmp_path, '[house]\npoint = "pips"\nraise_cap = 5\nlesser = "off"\n')
    assert read({}, {}, config).house == {"point": "pips", "raise_cap": "5", "lesser": "off"}
    environ = {"HOCP2P_HOUSE": "raise_cap=6 ruin=on"}
    flags: dict[str, object] = {"house": ["ruin=off", "point=cards"]}
    assert read(flags, environ, config).house == {"point": "cards", "raise_cap": "6", "lesser": "off", "ruin": "off"}


def test_each_value_tells_where_it_was_set(tmp_path: Path) -> None:
    config = write(tmp_path, 'seats = 2\nname = "Anna"\nport = 1\n[house]\npoint = "pips"\nruin = "on"\n')
    environ = {"HOCP2P_NAME": "Bruno", "HOCP2P_HOUSE": "ruin=off"}
    assert find_settings({"port": "2", "address": "here"}, environ, config) == {
        "seats": (2, f"seats in {config}"),
        "name": ("Bruno", "HOCP2P_NAME"),
        "port": (2, "--port"),
        "house.point": ("pips", f"house in {config}"),
        "house.ruin": ("off", "HOCP2P_HOUSE"),
    }


def test_names_are_as_long_here_as_on_the_wire() -> None:
    assert MAX_NAME_CHARACTERS == frames.MAX_NAME_CHARACTERS


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"seats": "4"}, "--seats must be a number from 2 to 3, not '4'"),
        ({"seats": "two"}, "--seats must be a number from 2 to 3, not 'two'"),
        ({"seats": "²"}, "--seats must be a number from 2 to 3, not '²'"),
        ({"bots": "-1"}, "--bots must be a number from 0 to 2, not '-1'"),
        ({"deals": "0"}, "--deals must be a number from 1 to 600, not '0'"),
        ({"deals": "9" * 5000}, "--deals must be a number from 1 to 600"),
        ({"port": "65536"}, "--port must be a number from 0 to 65535, not '65536'"),
        ({"pace": "nan"}, "--pace must be seconds from 0 to 10, not 'nan'"),
        ({"pace": "-1"}, "--pace must be seconds from 0 to 10, not '-1'"),
        ({"pace": "soon"}, "--pace must be seconds from 0 to 10, not 'soon'"),
        ({"pace": "inf"}, "--pace must be seconds from 0 to 10, not 'inf'"),
        ({"level": "genius"}, "--level must be one of random, novice, club, master, not 'genius'"),
        ({"autopilot": ""}, "--autopilot must be one of random, novice, club, master, not ''"),
        ({"name": ""}, "--name must have 1 to 24 printable characters, not ''"),
        ({"name": "x" * 25}, "--name must have 1 to 24 printable characters"),
        ({"name": " Anna"}, "--name must have 1 to 24 printable characters"),
        ({"name": "a\x1b[2J"}, "--name must have 1 to 24 printable characters, not 'a\\x1b[2J'"),
        ({"bind": " "}, "--bind must not be empty"),
        ({"identity": ""}, "--identity must not be empty"),
        ({"color": "red"}, "--color must be one of auto, always, never, not 'red'"),
        ({"theme": "pink"}, "--theme must be one of dark, light, contrast, mono, not 'pink'"),
        ({"suit_colours": "3"}, "--suit-colours must be one of 2, 4, not '3'"),
        ({"lang": "de"}, "--lang must be one of en, fr, ru, not 'de'"),
        ({"house": ["point"]}, "--house: wants KEY=VALUE, not 'point'"),
        ({"house": ["colour=red"]}, "--house: there is no house rule 'colour'"),
        ({"house": ["point=suits"]}, "--house: point is cards or pips, not 'suits'"),
        ({"house": ["raise_cap=0"]}, "--house: raise_cap must be from 1 to 1000, not 0"),
        ({"house": ["deals=3"]}, "--house: does not set the number of deals: that is --deals"),
    ],
)
def test_a_bad_flag_is_one_sentence(flags: dict[str, object], message: str) -> None:
    error = refusal(flags)
    assert error.code == "bad-setting"
    assert error.message.startswith(message)


def test_a_bad_variable_is_named() -> None:
    assert refusal({}, {"HOCP2P_PORT": "x"}).message == "HOCP2P_PORT must be a number from 0 to 65535, not 'x'"
    assert refusal({}, {"HOCP2P_PLAIN": "maybe"}).message == "HOCP2P_PLAIN must be 1 or 0, not 'maybe'"
    assert refusal({}, {"HOCP2P_HOUSE": "point=x"}).message.startswith("HOCP2P_HOUSE: point is")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sets = 3", "sets 'sets', which is no setting"),
        ('script = "x"', "sets 'script', which is no setting"),
        ("[table]\nseats = 3", "sets 'table', which is no setting"),
        ("seats = [3]", "seats in {path} must be a single value"),
        ("seats = 4", "seats in {path} must be a number from 2 to 3, not '4'"),
        ("seats = true", "seats in {path} must be a number from 2 to 3, not 'true'"),
        ("plain = 2", "plain in {path} must be 1 or 0, not '2'"),
        ("house = 3", "house in {path}: wants KEY=VALUE"),
        ("house = [3]", "house in {path} must be a table"),
        ('[house]\npoint = "x"', "house in {path}: point is cards or pips"),
        ('[house]\npoint = ["a", "b"]', "house in {path}: "),
        ("seats = ", "{path} is not TOML"),
    ],
)
def test_a_bad_file_names_itself_and_the_key(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    message = refusal({}, {}, path).message
    assert said.format(path=path) in message
    assert str(path) in message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal({}, {}, tmp_path).code == "bad-config"  # a folder
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff")
    assert refusal({}, {}, path).code == "bad-config"


@given(st.sampled_from(sorted(READERS)), st.text(max_size=30))
def test_any_text_is_a_value_or_a_reason(name: str, text: str) -> None:
    try:
        settings = read({name: text})
    except LocalError as error:
        assert error.message.startswith(f"--{name.replace('_', '-')} ")
    else:
        assert getattr(settings, name) == READERS[name](text)


def test_the_login_name_is_made_to_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    import getpass

    for login, name in [
        ("anna", "anna"),
        ("x" * 40, "x" * MAX_NAME_CHARACTERS),
        ("a\x1b[2Jb", "a[2Jb"),
        (" \n ", "player"),
    ]:
        monkeypatch.setattr(getpass, "getuser", lambda login=login: login)
        assert login_name() == name


def test_nobody_is_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import getpass

    def nobody() -> str:
        raise OSError("no user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert login_name() == "player"
