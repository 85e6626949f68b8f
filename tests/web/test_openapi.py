"""schemathesis asks the real server whatever its description allows, and some things that it does not."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from awale.i18n import section
from awale.web.app import create_app
from tests.web.conftest import Server

schema = schemathesis.openapi.from_dict(create_app().openapi())
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def test_every_request_is_described_in_both_languages() -> None:
    described = {
        operation["operationId"]: " ".join(operation["description"].split())
        for methods in create_app().openapi()["paths"].values()
        for operation in methods.values()
    }
    assert {name: texts["en"] for name, texts in section("api").items()} == described


@schema.parametrize()
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_server_answers_whatever_is_asked(case: Any, server: Server) -> None:
    if case.path == "/api/analyse" and isinstance(case.body, dict):
        case.body["seconds"] = 0.05
    answer = case.call(base_url=server.url, timeout=150)
    if answer.status_code not in (429, 503):  # floods and a busy engine are told so, not answered
        case.validate_response(answer, checks=CHECKS)
