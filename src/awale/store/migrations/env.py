"""Alembic's entry point: the store hands over its own connection; on the command line `-x url=...` names a database."""

from alembic import context
from sqlalchemy import Connection

from awale.store.database import default_url, make_engine, migrating
from awale.store.models import Base


def migrate(connection: Connection) -> None:
    # SQLite cannot change a column in place: Alembic copies the table instead.
    context.configure(
        connection=connection, target_metadata=Base.metadata, render_as_batch=connection.dialect.name == "sqlite"
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    with migrating(make_engine(context.get_x_argument(as_dictionary=True).get("url") or default_url())) as connection:
        migrate(connection)
