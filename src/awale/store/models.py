"""The tables. Alembic's migrations create them; a test compares the two."""

from __future__ import annotations

import datetime
import unicodedata
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from awale.errors import AwaleError
from awale.i18n import message


class Moment(TypeDecorator[datetime.datetime]):
    """A time in UTC, with its zone on both databases (SQLite stores none)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return None if value is None else value.astimezone(datetime.UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime.datetime | None:
        if isinstance(value, datetime.datetime):
            return value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value.astimezone(datetime.UTC)
        return None


class BoundedText(TypeDecorator[str]):
    """A text of at most so many characters, composed (NFC): SQLite would store what PostgreSQL refuses."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        value, most = unicodedata.normalize("NFC", value), int(self.impl_instance.length)  # type: ignore[attr-defined]
        if len(value) > most:
            raise AwaleError(message("store.refused.long-text", length=len(value), most=most, start=value[:20]))
        if "\0" in value:
            raise AwaleError(message("store.refused.no-text", start=value[:20].replace("\0", "?")))
        return value


# SQLite autoincrements only a column that is exactly INTEGER.
_Id = BigInteger().with_variant(Integer, "sqlite")


def now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Player(Base):
    """A person (first and last name) or a program (its name as `awale.players` knows it)."""

    __tablename__ = "players"
    __table_args__ = (CheckConstraint("kind IN ('person', 'program')", name="kind"),)

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    kind: Mapped[str] = mapped_column(BoundedText(10))
    name: Mapped[str] = mapped_column(BoundedText(200))
    """As shown: the program's name, or first and last name."""
    first_name: Mapped[str | None] = mapped_column(BoundedText(100))
    last_name: Mapped[str | None] = mapped_column(BoundedText(100))
    level: Mapped[int | None] = mapped_column(Integer, index=True)
    """What the player claims or was given; unlike a rating, not computed."""
    identity: Mapped[str] = mapped_column(BoundedText(220), unique=True)
    """Kind and case-folded name: unique."""
    created_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now)


class Game(Base):
    """A game. `ended_at` is null while it is being played."""

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("winner IN (0, 1)", name="winner"),
        Index("ix_games_rules_winner", "rules", "winner"),
        Index("ix_games_rules_end_winner", "rules", "end", "winner"),
        Index("ix_games_south_id_winner", "south_id", "winner"),
        Index("ix_games_north_id_winner", "north_id", "winner"),
        Index(
            "ix_games_unindexed",
            "rules",
            "id",
            sqlite_where=text("NOT indexed"),
            postgresql_where=text("NOT indexed"),
        ),
    )

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    key: Mapped[str] = mapped_column(BoundedText(40), unique=True)
    """The key in URLs: random, so that it cannot be guessed."""
    rules: Mapped[str] = mapped_column(BoundedText(200))
    rules_version: Mapped[int] = mapped_column(Integer, default=1)
    rules_options: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """Every option of village rules; null for rules identified by their name."""
    south_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    north_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    start: Mapped[str | None] = mapped_column(Text)
    """The starting position; null for the usual one."""
    moves: Mapped[str] = mapped_column(Text, default="")
    """In the notation of the rules, separated by spaces."""
    plies: Mapped[int] = mapped_column(Integer, default=0)
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    """0 for the first player, 1 for the second, null for a draw or an unfinished game."""
    south_seeds: Mapped[int] = mapped_column(Integer, default=0)
    north_seeds: Mapped[int] = mapped_column(Integer, default=0)
    end: Mapped[str | None] = mapped_column(BoundedText(30))
    """The outcome's reason, `time` included; null while the game goes on."""
    clock: Mapped[str | None] = mapped_column(BoundedText(40))
    """`minutes+increment`, or the text of a match; null without a clock."""
    rated: Mapped[bool] = mapped_column(Boolean, default=False)
    source: Mapped[str] = mapped_column(BoundedText(200), default="")
    """The origin: `web`, `arena`, the name of an imported file."""
    tags: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Event, site, round and other tags of a file."""
    fingerprint: Mapped[str | None] = mapped_column(BoundedText(64), unique=True)
    """A hash of a finished game, so that importing it twice adds nothing. Null while it is being played."""
    started_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now, index=True)
    ended_at: Mapped[datetime.datetime | None] = mapped_column(Moment)
    indexed: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """Whether its positions are in the index; see `position_index`."""

    south: Mapped[Player | None] = relationship(foreign_keys=[south_id])
    north: Mapped[Player | None] = relationship(foreign_keys=[north_id])


UNINDEXED = text("NOT games.indexed")
"""The condition of `ix_games_unindexed` in its own words: SQLite would not use the index for `games.indexed IS 0`."""


class PositionBlock(Base):
    """A block of the index of positions; see `position_index`."""

    __tablename__ = "position_blocks"
    __table_args__ = (Index("ix_position_blocks_rules", "rules", "first", "last"),)

    rules: Mapped[str] = mapped_column(String(200))
    segment: Mapped[int] = mapped_column(_Id, primary_key=True, autoincrement=False)
    block: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    first: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[int] = mapped_column(BigInteger)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class VoidPosition(Base):
    """A game whose entries in the index of positions do not count, because it changed or was deleted."""

    __tablename__ = "void_positions"

    game_id: Mapped[int] = mapped_column(_Id, primary_key=True, autoincrement=False)
    segment: Mapped[int | None] = mapped_column(_Id)
    """Up to this segment; in all if null."""


class Rating(Base):
    """A player's rating after a game; the latest is the current one."""

    __tablename__ = "ratings"
    __table_args__ = (UniqueConstraint("player_id", "rules", "game_id"),)

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    rules: Mapped[str] = mapped_column(BoundedText(200))
    rating: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    volatility: Mapped[float] = mapped_column(Float)
    at: Mapped[datetime.datetime] = mapped_column(Moment, default=now)


class LiveState(Base):
    """What a server needs to resume a game: seats, clocks, moves taken back, offers."""

    __tablename__ = "live_games"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    state: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    updated_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now, index=True)
    version: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """Counts the changes: one that is based on an earlier version is refused."""
    server: Mapped[str | None] = mapped_column(BoundedText(100))
    """The server that drives the game."""


class Server(Base):
    """A running server, and when it was last seen."""

    __tablename__ = "servers"

    name: Mapped[str] = mapped_column(BoundedText(100), primary_key=True)
    seen_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now)


class Invitation(Base):
    """A link to a seat: whoever follows it first takes the seat."""

    __tablename__ = "invitations"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    secret_hash: Mapped[str] = mapped_column(BoundedText(64))
    expires_at: Mapped[datetime.datetime] = mapped_column(Moment)


class SeatHolder(Base):
    """Who may move for a side: the hash of a secret in a link or cookie."""

    __tablename__ = "seat_holders"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    secret_hash: Mapped[str] = mapped_column(BoundedText(64), primary_key=True, index=True)


MAX_CHAPTER = 150_000
"""Characters of a chapter."""


class Study(Base):
    """A study; see `studies`."""

    __tablename__ = "studies"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    key: Mapped[str] = mapped_column(BoundedText(40), unique=True)
    """The key in the link for readers: random, so that it cannot be guessed."""
    title: Mapped[str] = mapped_column(BoundedText(200))
    edit_hash: Mapped[str | None] = mapped_column(BoundedText(64))
    """The hash of the secret in the link for editors."""
    version: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now)
    updated_at: Mapped[datetime.datetime] = mapped_column(Moment, default=now, index=True)


class Chapter(Base):
    """A chapter of a study."""

    __tablename__ = "study_chapters"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), index=True)
    place: Mapped[int] = mapped_column(Integer)
    title: Mapped[str] = mapped_column(BoundedText(200))
    ogn: Mapped[str] = mapped_column(BoundedText(MAX_CHAPTER))
    version: Mapped[int] = mapped_column(Integer, default=1)
    """Counts the changes: one that is based on an earlier version is refused."""


class StudyEditor(Base):
    """Who may change a study: the hash of a secret in a cookie."""

    __tablename__ = "study_editors"

    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True)
    secret_hash: Mapped[str] = mapped_column(BoundedText(64), primary_key=True, index=True)
