"""Outside programs that do one thing wrong. Run as `python mock.py KIND [FAULT]`; plain Python, so they start at once.

KIND is `uci` or `contest`. Without a fault they play the first legal move and keep the protocol.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time


def say(line: str) -> None:
    print(line, flush=True)


def misbehave(fault: str) -> bool:
    """Do the fault in the place of a move; False if it is none of these."""
    if fault == "slow":
        time.sleep(4)
    elif fault == "silent":
        time.sleep(3600)
    elif fault == "dies":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(3)
    elif fault == "floods":
        while True:
            print("info string " + "x" * 100)
    elif fault == "endless-line":
        while True:
            sys.stdout.write("x" * 10_000)
    elif fault == "binary":
        sys.stdout.buffer.write(bytes(range(256)) * 3 + b"\n")
        sys.stdout.buffer.flush()
    elif fault == "illegal":
        say("bestmove z" if sys.argv[1] == "uci" else "2R")
    elif fault == "closes":
        sys.stdout.close()
        os.close(1)
        time.sleep(3600)
    elif fault == "children":
        # A child that outlives us unless the whole group is ended.
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        with open(os.environ["MOCK_PIDS"], "a") as file:
            file.write(f"{child.pid}\n")
        return False
    else:
        return False
    return True


def uci(fault: str) -> None:
    from awale.game import Game

    rules, game = "abapa", Game("abapa")
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            if fault == "no-uciok":
                say("Loading the opening book")
                time.sleep(3600)
            if fault != "nameless":
                say("id name mock")
            if fault != "one-game":
                say("option name UCI_Variant type combo default abapa var abapa var ghana var tricolor")
            say("uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "setoption" and "UCI_Variant" in words:
            rules = words[-1]
            game = Game(rules)
        elif words[0] == "position":
            place = words.index("moves") if "moves" in words else len(words)
            start = words[2] if words[1] == "fen" else None
            game = Game(rules, start=start, moves=" ".join(words[place + 1 :]))
        elif words[0] == "go" and fault == "until-stop":
            continue
        elif words[0] == "stop":
            if fault == "until-stop":
                say(f"bestmove {game.legal_moves[0]}")
        elif words[0] == "go":
            if fault and misbehave(fault):
                continue
            if "infinite" in words and fault != "impatient":
                for line in sys.stdin:
                    if line.strip() == "stop":
                        break
            if game.over:
                say("bestmove 0000" if fault != "plays-on" else "bestmove A")
                continue
            say(f"info depth 1 score cp 25 nodes 7 nps 70 time 1 pv {game.legal_moves[0]}")
            say(f"bestmove {game.legal_moves[0]}")
            if fault == "chatters":
                time.sleep(0.05)
                say("info string and another thing")
        elif words[0] == "quit" and fault != "stays":
            return


def contest(fault: str) -> None:
    from awale.game import Game

    game = Game("tricolor")
    for line in sys.stdin:
        text = line.strip()
        if text != "START":
            game.push(text)
        if game.over:
            scores = (1, 2) if fault == "wrong-result" else game.scores
            if fault != "no-result":
                say(f"RESULT {game.moves[-1]} {scores[0]} {scores[1]}")
            continue
        if fault == "early-result":
            say("RESULT 1R 50 0")
            return
        if fault and len(game.moves) >= 4 and misbehave(fault):
            continue
        if fault == "chatters":
            say(f"I think about {game.legal_moves[0]}")
        if fault == "end":
            say("END")
        say(str(game.push(game.legal_moves[0])))


if __name__ == "__main__":
    {"uci": uci, "contest": contest}[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "")
