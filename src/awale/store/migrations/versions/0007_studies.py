"""Studies, their chapters and who may change them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", _ID, nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("edit_hash", sa.String(64)),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studies")),
        sa.UniqueConstraint("key", name=op.f("uq_studies_key")),
    )
    op.create_index(op.f("ix_studies_updated_at"), "studies", ["updated_at"])
    op.create_table(
        "study_chapters",
        sa.Column("id", _ID, nullable=False),
        sa.Column("study_id", _ID, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("ogn", sa.String(150_000), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_study_chapters_study_id_studies"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_chapters")),
    )
    op.create_index(op.f("ix_study_chapters_study_id"), "study_chapters", ["study_id"])
    op.create_table(
        "study_editors",
        sa.Column("study_id", _ID, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_study_editors_study_id_studies"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "secret_hash", name=op.f("pk_study_editors")),
    )
    op.create_index(op.f("ix_study_editors_secret_hash"), "study_editors", ["secret_hash"])


def downgrade() -> None:
    for table in ("study_editors", "study_chapters", "studies"):
        op.drop_table(table)
