// Keys that work wherever the focus is, except in a field where something is being written.

/** @typedef {import("./board.js").AwaleBoard} AwaleBoard */

/** @param {KeyboardEvent} event */
function writing(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable || document.querySelector("dialog[open]");
}

/**
 * The pit that a key names: 1 to 9 count the mover's pits in the order of sowing; a letter names a pit by its label.
 * @param {AwaleBoard} board
 * @param {number} turn
 * @param {string} key
 * @returns {number | null}
 */
export function pitOfKey(board, turn, key) {
  const rules = board.rules;
  const own = rules.owners.flatMap((owner, pit) => (owner === turn ? [pit] : []));
  if (/^[1-9]$/.test(key)) return own[Number(key) - 1] ?? null;
  if (!/^[A-Za-z]$/.test(key)) return null;
  return own.find((pit) => rules.labels[pit].toLowerCase() === key.toLowerCase()) ?? null;
}

/**
 * A letter that names a pit plays it; only other letters are actions.
 * @param {AwaleBoard} board
 * @param {() => number} turn
 * @param {Record<string, () => void>} actions  by key
 */
export function listen(board, turn, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || writing(event)) return;
    if (event.key === " " && board.motion.running) board.motion.skip();
    else {
      const pit = pitOfKey(board, turn(), event.key), action = actions[event.key];
      if (pit !== null) board.play(pit);
      else if (action) action();
      else return;
    }
    event.preventDefault();
  });
}
