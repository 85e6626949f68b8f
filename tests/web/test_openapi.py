"""schemathesis asks the real server whatever its description allows, and some things that it does not."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from tests.web.conftest import Server


@pytest.fixture(scope="module")
def schema_of_server(server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


schema = schemathesis.pytest.from_fixture("schema_of_server")


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_server_answers_whatever_is_asked(case: Any) -> None:
    if case.path == "/api/analyse" and isinstance(case.body, dict):
        case.body["seconds"] = 0.05
    answer = case.call()
    if answer.status_code not in (429, 503):  # floods and a busy engine are told so, not answered
        case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])
