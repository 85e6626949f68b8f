"""Search trees: a page that draws them and plays them step by step, and the same for programs, within limits."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

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
from awale.web.api import REFUSED, attachment, in_thread
from awale.web.language import WebError, language
from awale.web.pages import render
from awale.web.request_parsing import GameRequest

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


@router.post("/api/tree", tags=["analysis"], responses=REFUSED)
async def tree(sent: TreeRequest, request: Request) -> Response:
    """The search tree of a position: every position, every value as it rises, every branch cut. Values: hundredths of a
    seed."""

    def write() -> str:
        return json.dumps(as_dict(sent.build_tree()), ensure_ascii=False, separators=(",", ":"))

    return Response(await in_thread(request, write, slow=True), media_type="application/json")


@router.get("/api/tree/file", tags=["analysis"], responses=REFUSED)
async def tree_file(sent: Annotated[TreeFileRequest, Query()], request: Request) -> Response:
    """The same as a picture, or as a page that needs nothing else."""
    lang = language(request)
    draw, kind = (tree_svg, "image/svg+xml") if sent.format == "svg" else (tree_page, "text/html")
    drawn = await in_thread(request, lambda: draw(sent.build_tree(), lang=lang), slow=True)
    return attachment(drawn, kind, f"tree.{sent.format}")


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
        grown = await in_thread(request, lambda: Markup(data_block(as_dict(sent.build_tree()))), slow=True)
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
