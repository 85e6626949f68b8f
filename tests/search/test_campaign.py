"""A proof in jobs: the answer of one search, from a journal that may be cut off anywhere."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from awale import Game, checksums, tables
from awale.cli import main
from awale.cli.solve_campaign import FORM, Job, Journal, search
from awale.json_lines import SealedJournal
from awale.search.campaign import Campaign, Node
from awale.search.certificate import Strategy
from awale.search.claims import INFINITE, Claim
from awale.search.single_lap import Prover
from awale.search.solve import Proof
from awale.tables import verify
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
    assert campaign.counts()["jobs"] == sum(result.nodes > 0 for _, result in recorded) > 1
    said = campaign.first_moves()
    assert set(said) == set(board.moves)
    assert ("proved" in said.values()) == (value >= margin)
    # The tree is made again from the results alone. Without the answers another leaf may look most promising now and
    # then.
    again = Campaign(game.rules, Claim(0, margin, 0), game.state, opened.table_set, dict(campaign.results))
    assert again.root.settled
    assert again.first_moves() == said
    jobs = {key: result for key, result in campaign.results.items() if result.nodes}
    again = Campaign(game.rules, Claim(0, margin, 0), game.state, opened.table_set, jobs)
    assert work(again, Prover(game.rules, opened.table_set), 200) <= len(recorded) // 4
    assert again.root.settled


def test_what_one_job_settles_no_other_forgets() -> None:
    """Two jobs may be at the same position, reached in two ways, with different numbers when they end."""
    game = Game(RULES)
    recorded: dict[Any, Any] = {}
    campaign = Campaign(game.rules, Claim(0, 0, 0), game.state, record=recorded.__setitem__)
    node = campaign.next_job()
    assert node is not None
    elsewhere = Node(node.key, campaign.root, in_flight=1)
    campaign.finish(node, True, 0, INFINITE, 10)
    campaign.finish(elsewhere, None, 7, 5, 20)
    assert recorded[node.key] == campaign.results[node.key] == (0, INFINITE, 10, 0)
    assert elsewhere.proof == 0


def test_a_tree_with_many_ways_to_a_position_is_made_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("awari:pits=3,seeds=2", start="0-1-0-0-1-4-0-0-N")
    claim = Claim(1, 0, 0)
    campaign = Campaign(game.rules, claim, game.state)
    for _ in range(200):  # no job settles anything
        node = campaign.next_job()
        assert node is not None
        campaign.finish(node, None, 1, 1, 1)
    grow, grown = Campaign._grow, []

    def count(campaign: Campaign, node: Node) -> None:
        grown.append(node.key)
        assert len(grown) <= 3 * len(campaign.results)
        grow(campaign, node)

    monkeypatch.setattr(Campaign, "_grow", count)
    again = Campaign(game.rules, claim, game.state, results=dict(campaign.results))
    assert again.next_job(until=0.0) is None


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
    assert (facts["value"], facts["winner"]) == ([-18, 18], "unknown")
    assert main(command(journal, tmp_path)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in facts["claims"]] == ["proved", "refuted"]
    assert (facts["value"], facts["winner"]) == (0, None)
    assert facts["nodes"] == sum(claim["nodes"] for claim in facts["claims"])
    assert all(claim["walked"] > 0 for claim in facts["claims"])
    assert main(command(journal, tmp_path, "--leaves", "3", "--minutes", "0")) == 0
    assert json.loads(capsys.readouterr().out)["table_seeds"] == LEAVES  # the results of earlier runs rest on them
    lines = journal.read_text().splitlines()
    # Half of the journal, its last line cut off.
    journal.write_text("\n".join(lines[: len(lines) // 2]) + "\n" + lines[len(lines) // 2][:9])
    assert main(command(journal, tmp_path)) == 0
    again = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in again["claims"]] == ["proved", "refuted"]
    assert 0 < again["nodes"] < facts["nodes"]
    # A changed digit never becomes a result.
    entry = json.loads(lines[1])
    entry["job"][-1] += 1
    changed = json.dumps(entry)
    journal.write_text("\n".join([lines[0], changed, *lines[2:]]) + "\n")
    assert main(command(journal, tmp_path)) == 2
    assert "line 2: the journal is damaged" in capsys.readouterr().err
    for not_a_file in (tmp_path, Path("/dev/full")):
        assert main(command(not_a_file, tmp_path)) == 2
        assert "is not the journal" in capsys.readouterr().err


def test_whoever_loses_does_not_win(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing is searched for the second claim where the first one settles it."""
    rules = ["--rules", "awari:pits=4,seeds=3", "--dir", str(tmp_path), "--leaves", "18", "--budget", "20000"]
    assert main(["solve", *rules, "--campaign", str(tmp_path / "journal.jsonl"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    said = [(claim["result"], claim["jobs"] > 0) for claim in facts["claims"]]
    assert said == [("refuted", True), ("refuted", False)]
    assert facts["winner"] == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("5\n", "is not the journal"),
        ("null\n", "is not the journal"),
        ("# A page\n", "is not the journal"),
        ("a line that was never finished", "is not the journal"),
        (json.dumps(checksums.sealed({"form": FORM, "rules": "wikipedia"})) + "\n", "'rules' differs"),
        (json.dumps({"form": FORM}) + "\n", "line 1: the journal is damaged"),
        ("HEAD\nHEAD\n", "line 2: this is not a result"),
        ("HEAD\n[1, 2]\n", "line 2: this is not a result"),
        ("HEAD\n" + json.dumps(checksums.sealed({"job": [1]})) + "\n", "line 2: this is not a result"),
    ],
)
def test_what_is_not_a_journal_is_refused_and_left_alone(
    written: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    assert main(command(journal, tmp_path, "--minutes", "0")) == 0
    content = written.replace("HEAD", journal.read_text().splitlines()[0])
    journal.write_text(content)
    capsys.readouterr()
    assert main(command(journal, tmp_path)) == 2
    assert said in capsys.readouterr().err
    assert journal.read_text() == content


def test_a_journal_belongs_to_the_rules_whatever_their_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules, journal = tmp_path / "mine.toml", tmp_path / "journal.jsonl"
    said = []
    for base in ("awari", "casabianca"):
        rules.write_text(f'name = "mine"\nbase = "{base}"\npits = 2\nseeds = 3\n')
        said.append(main(["solve", "--rules", str(rules), "--campaign", str(journal), "--leaves", "4"]))
    assert said == [0, 2]
    assert "another game: 'game' differs" in capsys.readouterr().err


def test_one_journal_has_one_writer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    kept = Journal(journal, Game(RULES))
    assert main(command(journal, tmp_path)) == 2
    assert "in use by another campaign" in capsys.readouterr().err
    del kept
    assert main(command(journal, tmp_path)) == 0


def test_an_interrupted_campaign_reports_what_it_did(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, done = Campaign.finish, []

    def interrupt(campaign: Campaign, *given: Any) -> None:
        finish(campaign, *given)
        done.append(given)
        if len(done) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(Campaign, "finish", interrupt)
    assert main(command(tmp_path / "journal.jsonl", tmp_path)) == 130
    said = capsys.readouterr()
    assert "run the same command to resume" in said.err
    facts = json.loads(said.out)
    assert facts["claims"][0]["jobs"] == 5
    assert facts["nodes"] == facts["claims"][0]["nodes"] > 0


def test_a_campaign_interrupted_before_its_first_job_can_be_resumed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*given: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "check_sample", interrupt)
    assert main(command(tmp_path / "journal.jsonl", tmp_path)) == 130
    said = capsys.readouterr().err
    assert "run the same command to resume" in said
    assert "before anything was proved" not in said


def test_what_a_job_settles_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("awari:pits=2,seeds=2")
    prover = Prover(game.rules)
    checked: list[bool | None] = []
    check = Proof.check

    def look(proof: Proof) -> Strategy:
        checked.append(proof.holds)
        return check(proof)

    monkeypatch.setattr(Proof, "check", look)
    job = Job(game.rules, Claim(0, 3, 0), prover.state(game), 1, 600.0)
    assert search(prover, job)[::4] == (None, 0)
    answer = search(prover, job._replace(budget=100_000))
    assert answer.holds is False
    assert answer.walked > 0
    assert checked == [False]


def test_what_another_job_settles_does_not_count_before_it_is_walked() -> None:
    game = Game("awari:pits=2,seeds=2")
    prover = Prover(game.rules)
    job = Job(game.rules, Claim(0, 3, 0), prover.state(game), 100_000, 0.0)
    assert prover.settle(job.state, 0, 3).holds is False  # while this job ran out of time
    assert search(prover, job) == (None, 1, 1, 0, 0)


@contextmanager
def dask(workers: int) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        yield cluster


@pytest.fixture
def scheduler() -> Iterator[str]:
    with dask(1) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_without_workers_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("awale.cli.solve_campaign.GRACE", 0.0)
    with dask(0) as cluster:
        there = ["--scheduler", cluster.scheduler_address, "--minutes", "0.01"]
        assert main(command(tmp_path / "journal.jsonl", tmp_path, *there)) == 0
    said = capsys.readouterr()
    assert "no worker is connected" in said.err
    assert json.loads(said.out)["nodes"] == 0


def test_a_cluster_that_goes_away_leaves_the_journal_and_a_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, done = Campaign.finish, []
    journal = tmp_path / "journal.jsonl"
    with dask(1) as cluster:

        def close(campaign: Campaign, *given: Any) -> None:
            finish(campaign, *given)
            done.append(given)
            if len(done) == 2:
                cluster.close()

        monkeypatch.setattr(Campaign, "finish", close)
        assert main(command(journal, tmp_path, "--scheduler", cluster.scheduler_address)) == 2
    said = capsys.readouterr()
    assert "has lost a job" in said.err
    assert "Traceback" not in said.err
    assert json.loads(said.out)["claims"][0]["jobs"] == len(done) == len(journal.read_text().splitlines()) - 1


def test_a_full_disk_is_said_with_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: SealedJournal) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = tmp_path / "journal.jsonl"
    assert main(command(journal, tmp_path, "--minutes", "0")) == 0
    capsys.readouterr()
    monkeypatch.setattr(SealedJournal, "sync", full)
    assert main(command(journal, tmp_path)) == 2
    said = capsys.readouterr()
    assert str(journal) in said.err
    assert [claim["result"] for claim in json.loads(said.out)["claims"]] == ["open", "open"]


def test_a_won_position_is_not_a_draw(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for position, said in (
        ("1-0-0-0-0-0-5-5-S", "wins"),
        ("0-0-0-0-1-0-9-2-S", "wins"),
        ("0-0-0-0-1-0-5-6-S", "loses"),
    ):
        given = ["solve", "-r", "awari:pits=3,seeds=2", position, "--campaign", str(tmp_path / position)]
        assert main(given) == 0
        assert said in capsys.readouterr().out.splitlines()[-1]


def test_jobs_on_dask_workers(scheduler: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(command(tmp_path / "journal.jsonl", tmp_path, "--scheduler", scheduler)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [claim["result"] for claim in facts["claims"]] == ["proved", "refuted"]
    assert main(command(tmp_path / "journal.jsonl", tmp_path, "--scheduler", "nonsense")) == 2
