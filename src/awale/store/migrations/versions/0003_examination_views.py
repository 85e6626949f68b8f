"""The views `Joueur` and `Partie`: the store as the examination's SQL questions know it.

A later migration that changes a column used here has to drop the views first and create them again.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE VIEW Joueur AS SELECT id AS id_joueur, COALESCE(last_name, name) AS nom, first_name AS prenom, "
        "level AS niveau FROM players"
    )
    # 1: the first player won, 2: the second, 0: a draw, null: not finished.
    op.execute(
        "CREATE VIEW Partie AS SELECT id AS id_partie, rules AS jeu, south_id AS id_joueur1, north_id AS id_joueur2, "
        'CASE WHEN "end" IS NULL THEN NULL WHEN winner IS NULL THEN 0 ELSE winner + 1 END AS resultat, '
        "south_seeds AS graines1, north_seeds AS graines2, plies AS coups, started_at AS debut FROM games"
    )


def downgrade() -> None:
    op.execute("DROP VIEW Partie")
    op.execute("DROP VIEW Joueur")
