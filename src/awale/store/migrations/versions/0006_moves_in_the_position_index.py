"""The index of positions holds moves, results and stores: it is made again. Entries of changed games do not count."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _empty_the_index()
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "void_positions",
        sa.Column("game_id", number, nullable=False),
        sa.Column("segment", number),
        sa.PrimaryKeyConstraint("game_id", name="pk_void_positions"),
    )


def downgrade() -> None:
    op.drop_table("void_positions")
    _empty_the_index()


def _empty_the_index() -> None:
    op.execute(sa.text("DELETE FROM position_blocks"))
    op.execute(sa.text("UPDATE games SET indexed = false"))
