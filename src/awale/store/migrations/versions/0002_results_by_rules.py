"""An index for "how often does the first player win?"."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_games_rules_end_winner", "games", ["rules", "end", "winner"])


def downgrade() -> None:
    op.drop_index("ix_games_rules_end_winner", table_name="games")
