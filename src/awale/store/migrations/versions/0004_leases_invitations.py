"""Versions and leases of live games, invitations to seats."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("live_games", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("live_games", sa.Column("server", sa.String(100)))
    op.create_table(
        "servers",
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_servers")),
    )
    op.create_table(
        "invitations",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_invitations_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_invitations")),
    )


def downgrade() -> None:
    op.drop_table("invitations")
    op.drop_table("servers")
    with op.batch_alter_table("live_games") as live_games:
        live_games.drop_column("server")
        live_games.drop_column("version")
