"""The index of positions, and which games are in it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("indexed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_games_unindexed",
        "games",
        ["rules", "id"],
        sqlite_where=sa.text("NOT indexed"),
        postgresql_where=sa.text("NOT indexed"),
    )
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "position_blocks",
        sa.Column("rules", sa.String(200), nullable=False),
        sa.Column("segment", number, nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("segment", "block", name="pk_position_blocks"),
    )
    op.create_index("ix_position_blocks_rules", "position_blocks", ["rules", "first", "last"])


def downgrade() -> None:
    op.drop_table("position_blocks")
    op.drop_index("ix_games_unindexed", "games")
    op.drop_column("games", "indexed")
