"""Search trees: a page that draws them and plays them step by step, and the same for programs; never large or slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from pydantic import Field

from awale.classroom.tree import EVALUATIONS, METHODS, MOST_DEPTH, Tree, as_dict, build_tree
from awale.classroom.tree_examples import EXAMPLES
from awale.classroom.tree_html import data_block, tree_page, viewer_texts
from awale.classroom.tree_svg import tree_svg
from awale.errors import AwaleError
from awale.i18n import text
from awale.web import request_parsing
from awale.web.api import REFUSED
from awale.web.language import language
from awale.web.pages import render
from awale.web.request_parsing import AskedGame

router = APIRouter()
MOST_NODES = 6000
SECONDS = 4.0
AT_ONCE = 2
"""Trees that may grow at the same time: they are plain Python, and games go on in this process."""
MethodName = Literal["minimax", "alphabeta", "negamax"]
EvaluationName = Literal["gains", "material", "mobility", "kroo", "defence", "mixed"]


class AskedTree(AskedGame):
    depth: int = Field(default=3, ge=1, le=MOST_DEPTH)
    method: MethodName = "minimax"
    evaluation: EvaluationName | None = None

    def the_tree(self) -> Tree:
        return build_tree(
            self.the_game(),
            self.depth,
            method=self.method,
            evaluation=self.evaluation,
            most_nodes=MOST_NODES,
            seconds=SECONDS,
            check=request_parsing.afford,
        )


class AskedTreeFile(AskedTree):
    format: Literal["svg", "html"] = "svg"
    lang: Literal["en", "fr"] | None = None


Out = TypeVar("Out")


async def _grown(request: Request, work: Callable[[], Out]) -> Out:
    """Work out a tree beside the games, a few at a time; refusals in the reader's language."""
    state = request.app.state
    if getattr(state, "trees_growing", 0) >= AT_ONCE:
        raise HTTPException(503, text("tree.refused.busy", language(request)))
    state.trees_growing = getattr(state, "trees_growing", 0) + 1
    try:
        return await asyncio.to_thread(work)
    except AwaleError as error:
        raise HTTPException(400, error.sentence(language(request))) from None
    finally:
        state.trees_growing -= 1


def _json(tree: Tree) -> str:
    return json.dumps(as_dict(tree), ensure_ascii=False, separators=(",", ":"))


@router.post("/api/tree", tags=["analysis"], responses=REFUSED)
async def tree(sent: AskedTree, request: Request) -> Response:
    """The search tree of a position: every position, every value as it rises, every branch cut. Values: hundredths of a
    seed."""
    written = await _grown(request, lambda: _json(sent.the_tree()))
    return Response(written, media_type="application/json")


@router.get("/api/tree/file", tags=["analysis"], responses=REFUSED)
async def tree_file(sent: Annotated[AskedTreeFile, Query()], request: Request) -> Response:
    """The same as a picture, or as a page that needs nothing else."""
    lang = language(request)
    if sent.format == "svg":
        drawn = await _grown(request, lambda: tree_svg(sent.the_tree(), lang=lang))
        return _attachment(drawn, "image/svg+xml", "tree.svg")
    page = await _grown(request, lambda: tree_page(sent.the_tree(), lang=lang))
    return _attachment(page, "text/html", "tree.html")


def _attachment(content: str, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/tree", include_in_schema=False)
async def page(request: Request) -> HTMLResponse:
    """The form, and the tree that the address asks for."""
    lang = language(request)
    wanted = {key: value for key, value in request.query_params.items() if key in AskedTree.model_fields and value}
    first = EXAMPLES["four-pits-cut"]._asdict()
    first["start"] = first.pop("position")
    shown: dict[str, Any] = wanted or first
    grown, refusal, status = Markup("null"), "", 200
    try:
        sent = AskedTree.model_validate(shown)
        grown = await _grown(request, lambda: Markup(data_block(as_dict(sent.the_tree()))))
    except HTTPException as error:
        refusal, status = str(error.detail), error.status_code
    except ValueError:  # not even the form of a question
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
