// Live boards for the examples of a page of rules: watch the move, or try any other.

import { call } from "./api.js";
import "./board.js";
import { Follower } from "./follow.js";
import { pace } from "./settings.js";
import { byId, maybe } from "./svg.js";
import { announce, pageData, say } from "./texts.js";

const data = pageData("data");

data.examples.forEach((/** @type {any} */ example, /** @type {number} */ i) => {
  const board = /** @type {import("./board.js").AwaleBoard} */ (byId(`board-${i}`));
  const status = byId(`status-${i}`);
  /** @type {string[]} */
  let moves = [];
  /** number of the latest action; what an earlier one still waits for is not shown */ let latest = 0;
  board.rules = example.rules;
  board.pace = pace() || 190;

  const stand = (/** @type {any} */ view) => {
    board.show(view);
    board.choose(view.legal, view.refusals);
    status.textContent = view.over ? say(view.outcome.text) : "";
  };
  /** @type {Follower | null} */
  let follower = null;
  const back = () => {
    latest++;
    follower?.close();
    follower = null;
    moves = [];
    stand(example.view);
  };
  const sow = async (/** @type {any} */ trace, /** @type {any} */ view) => {
    const mine = ++latest;
    moves.push(trace.move);
    board.choose([]);
    await board.sow(trace, view);
    if (mine !== latest) return;
    stand(view);
    announce(status.textContent || `${trace.move} +${trace.taken}`);
  };
  board.addEventListener("move", async (event) => {
    const move = /** @type {CustomEvent} */ (event).detail.move, mine = ++latest;
    try {
      const answer = await call("/api/trace", { rules: example.rules.spec, start: example.position, moves: moves.join(" "), move });
      if (mine === latest) await sow(answer.trace, answer.view);
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : "";
    }
  });
  maybe(`follow-${i}`)?.addEventListener("click", () => {
    back();
    board.choose([]);
    follower = new Follower(board, byId(`follower-${i}`), { rules: example.rules.spec, start: example.position }, example.endless, example.view);
  });
  byId(`back-${i}`).addEventListener("click", back);
  maybe(`show-${i}`)?.addEventListener("click", () => {
    back();
    void sow(example.trace, example.after);
  });
  back();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== " ") return;
  for (const board of document.querySelectorAll("awale-board")) {
    const { motion } = /** @type {import("./board.js").AwaleBoard} */ (board);
    if (motion.running) {
      motion.skip();
      event.preventDefault();
    }
  }
});
document.documentElement.dataset.ready = "true";
