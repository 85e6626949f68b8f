"""Players, games, ratings, and the state of live games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", _ID, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("first_name", sa.String(100)),
        sa.Column("last_name", sa.String(100)),
        sa.Column("level", sa.Integer),
        sa.Column("identity", sa.String(220), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.CheckConstraint("kind IN ('person', 'program')", name=op.f("ck_players_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("identity", name=op.f("uq_players_identity")),
    )
    op.create_index(op.f("ix_players_level"), "players", ["level"])
    op.create_table(
        "games",
        sa.Column("id", _ID, nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("rules", sa.String(200), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("rules_options", sa.JSON),
        sa.Column("south_id", _ID),
        sa.Column("north_id", _ID),
        sa.Column("start", sa.Text),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("winner", sa.SmallInteger),
        sa.Column("south_seeds", sa.Integer, nullable=False),
        sa.Column("north_seeds", sa.Integer, nullable=False),
        sa.Column("end", sa.String(30)),
        sa.Column("clock", sa.String(40)),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("source", sa.String(200), nullable=False),
        sa.Column("tags", sa.JSON, nullable=False),
        sa.Column("fingerprint", sa.String(64)),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT),
        sa.CheckConstraint("winner IN (0, 1)", name=op.f("ck_games_winner")),
        sa.ForeignKeyConstraint(["south_id"], ["players.id"], name=op.f("fk_games_south_id_players")),
        sa.ForeignKeyConstraint(["north_id"], ["players.id"], name=op.f("fk_games_north_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("key", name=op.f("uq_games_key")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_games_fingerprint")),
    )
    op.create_index("ix_games_rules_winner", "games", ["rules", "winner"])
    op.create_index("ix_games_south_id_winner", "games", ["south_id", "winner"])
    op.create_index("ix_games_north_id_winner", "games", ["north_id", "winner"])
    op.create_index(op.f("ix_games_started_at"), "games", ["started_at"])
    op.create_table(
        "ratings",
        sa.Column("id", _ID, nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("rules", sa.String(200), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_ratings_player_id_players"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_ratings_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ratings")),
        sa.UniqueConstraint("player_id", "rules", "game_id", name=op.f("uq_ratings_player_id")),
    )
    op.create_index(op.f("ix_ratings_player_id"), "ratings", ["player_id"])
    op.create_index(op.f("ix_ratings_game_id"), "ratings", ["game_id"])
    op.create_table(
        "live_games",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_live_games_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_live_games")),
    )
    op.create_index(op.f("ix_live_games_updated_at"), "live_games", ["updated_at"])
    op.create_table(
        "seat_holders",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_seat_holders_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "secret_hash", name=op.f("pk_seat_holders")),
    )
    op.create_index(op.f("ix_seat_holders_secret_hash"), "seat_holders", ["secret_hash"])


def downgrade() -> None:
    for table in ("seat_holders", "live_games", "ratings", "games", "players"):
        op.drop_table(table)
