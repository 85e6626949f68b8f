"""A proof in jobs: the answer of one search, from a journal that may be cut off anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from awale import Game, tables
from awale.cli import main
from awale.search.campaign import Campaign
from awale.search.claims import Claim
from awale.search.single_lap import Prover
from awale.tables.board_values import shipped

RULES = "awari:pits=3,seeds=3"
LEAVES = 8


def work(campaign: Campaign, prover: Prover, budget: int, jobs: int = 100_000) -> int:
    """Do jobs one after another; return how many were done."""
    for done in range(jobs):
        node = campaign.next_job()
        if node is None:
            return done
        claim = campaign.claim
        found = prover.settle(campaign.state(node.key), claim.x, claim.margin, most=budget)
        campaign.finish(node, found.holds, *found.numbers(), found.nodes)
    return jobs


SMALLER = ["wikipedia:pits=3,seeds=3", "casabianca:pits=3,seeds=3"]


@pytest.mark.parametrize(("name", "margin"), [(RULES, -2), (RULES, 0), (RULES, 1), *((name, 0) for name in SMALLER)])
def test_jobs_settle_what_one_search_settles(name: str, margin: int, tmp_path: Path) -> None:
    game = Game(name)
    opened = tables.compute(game.rules, LEAVES, dir=tmp_path)
    recorded: list[Any] = []
    campaign = Campaign(
        game.rules, Claim(0, margin, 0), game.state, opened.table_set, {}, lambda *result: recorded.append(result)
    )
    work(campaign, Prover(game.rules, opened.table_set, entries=1 << 12), 200)
    assert campaign.root.settled
    board = shipped(game.rules)
    assert board is not None
    value = board.value.least
    assert (campaign.root.proof == 0) == (value >= margin)
    assert campaign.counts()["jobs"] == len(recorded) > 1
    said = campaign.first_moves()
    assert set(said) == set(board.moves)
    assert ("proved" in said.values()) == (value >= margin)
    # The tree is made again from the results alone; another leaf may look most promising now and then.
    again = Campaign(game.rules, Claim(0, margin, 0), game.state, opened.table_set, dict(campaign.results))
    assert work(again, Prover(game.rules, opened.table_set), 200) <= len(recorded) // 4
    assert again.root.settled


def test_jobs_spread_out_and_can_be_cancelled() -> None:
    game = Game(RULES)
    campaign = Campaign(game.rules, Claim(0, 0, 0), game.state)
    nodes = []
    while (node := campaign.next_job()) is not None:
        nodes.append(node)
    assert len({node.key for node in nodes}) == len(nodes) > 3
    for node in nodes:
        campaign.cancel(node)
    assert campaign.root.in_flight == 0
    assert campaign.next_job() is not None


def command(journal: Path, folder: Path, *more: str) -> list[str]:
    options = ["--leaves", str(LEAVES), "--dir", str(folder), "--budget", "300", "--threads", "2", "--json", *more]
    return ["solve", "--rules", RULES, "--campaign", str(journal), *options]


def test_a_campaign_goes_on_from_its_journal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    assert main(command(journal, tmp_path, "--minutes", "0")) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in facts["claims"]] == ["open", "open"]
    assert main(command(journal, tmp_path)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in facts["claims"]] == ["proved", "refuted"]
    lines = journal.read_text().splitlines()
    # Half of the journal, its last line cut off.
    journal.write_text("\n".join(lines[: len(lines) // 2]) + "\n" + lines[len(lines) // 2][:9])
    assert main(command(journal, tmp_path)) == 0
    again = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in again["claims"]] == ["proved", "refuted"]
    assert 0 < again["nodes"] < facts["nodes"] + 300 * len(lines)
    # A changed digit never becomes a result.
    entry = json.loads(lines[1])
    entry["job"][-1] += 1
    changed = json.dumps(entry)
    journal.write_text("\n".join([lines[0], changed, *lines[2:]]) + "\n")
    assert main(command(journal, tmp_path)) == 2
    assert "line 2: the journal is damaged" in capsys.readouterr().err
    # A journal of another game is refused, and so is one that cannot be written.
    head = json.loads(lines[0])
    journal.write_text(json.dumps(head | {"rules": "wikipedia"}) + "\n")
    assert main(command(journal, tmp_path)) == 2
    assert main(command(tmp_path, tmp_path)) == 2


@pytest.fixture
def scheduler() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        yield cluster.scheduler_address


def test_jobs_on_dask_workers(scheduler: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(command(tmp_path / "journal.jsonl", tmp_path, "--scheduler", scheduler)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in facts["claims"]] == ["proved", "refuted"]
    assert main(command(tmp_path / "journal.jsonl", tmp_path, "--scheduler", "nonsense")) == 2
