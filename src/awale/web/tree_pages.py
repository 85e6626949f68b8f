"""Search trees: a page that draws them and plays them step by step, and the same for programs, within limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from pydantic import Field

from awale.classroom.tree import EVALUATIONS, METHODS, MOST_DEPTH, Tree, as_dict, build_tree
from awale.classroom.tree_examples import EXAMPLES
from awale.classroom.tree_html import data_block, tree_page, viewer_texts
from awale.classroom.tree_svg import tree_svg
from awale.errors import AwaleError
from awale.i18n import text
from awale.web.api import REFUSED
from awale.web.language import WebError, language
from awale.web.pages import render
from awale.web.request_parsing import GameRequest
from awale.web.request_pool import RequestPool
from awale.web.security import address

router = APIRouter()
MOST_NODES = 6000
SECONDS = 4.0
MethodName = Literal["minimax", "alphabeta", "negamax"]
EvaluationName = Literal["gains", "material", "mobility", "kroo", "defence", "mixed"]


class TreeRequest(GameRequest):
    """A position whose search tree is drawn."""

    depth: int = Field(default=3, ge=1, le=MOST_DEPTH)
    method: MethodName = "minimax"
    evaluation: EvaluationName | None = None

    def build_tree(self) -> Tree:
        return build_tree(
            self.build_game(),
            self.depth,
            method=self.method,
            evaluation=self.evaluation,
            most_nodes=MOST_NODES,
            seconds=SECONDS,
        )


class TreeFileRequest(TreeRequest):
    """A search tree as a file."""

    format: Literal["svg", "html"] = "svg"
    lang: Literal["en", "fr"] | None = None


Out = TypeVar("Out")


async def _built(request: Request, work: Callable[[], Out]) -> Out:
    """Build a tree in a thread."""
    requests: RequestPool = request.app.state.slow_requests
    return await requests.run(address(request.scope), work)


def _json(tree: Tree) -> str:
    return json.dumps(as_dict(tree), ensure_ascii=False, separators=(",", ":"))


@router.post("/api/tree", tags=["analysis"], responses=REFUSED)
async def tree(sent: TreeRequest, request: Request) -> Response:
    """The search tree of a position: every position, every value as it rises, every branch cut. Values: hundredths of a
    seed."""
    written = await _built(request, lambda: _json(sent.build_tree()))
    return Response(written, media_type="application/json")


@router.get("/api/tree/file", tags=["analysis"], responses=REFUSED)
async def tree_file(sent: Annotated[TreeFileRequest, Query()], request: Request) -> Response:
    """The same as a picture, or as a page that needs nothing else."""
    lang = language(request)
    if sent.format == "svg":
        drawn = await _built(request, lambda: tree_svg(sent.build_tree(), lang=lang))
        return _attachment(drawn, "image/svg+xml", "tree.svg")
    page = await _built(request, lambda: tree_page(sent.build_tree(), lang=lang))
    return _attachment(page, "text/html", "tree.html")


def _attachment(content: str, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/tree", include_in_schema=False)
async def page(request: Request) -> HTMLResponse:
    """The form, and the tree that the address asks for."""
    lang = language(request)
    wanted = {key: value for key, value in request.query_params.items() if key in TreeRequest.model_fields and value}
    first = EXAMPLES["four-pits-cut"]._asdict()
    first["start"] = first.pop("position")
    shown: dict[str, Any] = wanted or first
    grown, refusal, status = Markup("null"), "", 200
    try:
        sent = TreeRequest.model_validate(shown)
        grown = await _built(request, lambda: Markup(data_block(as_dict(sent.build_tree()))))
    except AwaleError as error:
        refusal, status = error.sentence(lang), error.status if isinstance(error, WebError) else 400
    except ValueError:  # not a valid form
        refusal, status = text("tree.page.unreadable", lang), 400
    return render(
        request,
        "tree.html",
        {"page": "tree", "texts": viewer_texts(lang)},
        status,
        s=lambda key: text(f"tree.page.{key}", lang),
        word=lambda key: text(f"tree.{key}", lang),
        tree=grown,
        refusal=refusal,
        shown=shown,
        methods=METHODS,
        evaluations=EVALUATIONS,
        examples=EXAMPLES,
        most_depth=MOST_DEPTH,
    )
