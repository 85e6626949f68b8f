// Moves that the server has played, shown one after the other.

/**
 * @param {import("./board.js").AwaleBoard} board
 * @param {import("./types.js").TraceAnswer[]} steps
 * @param {() => boolean} wanted  whether they are still to be shown
 * @returns {Promise<boolean>} whether all were shown
 */
export async function showSteps(board, steps, wanted) {
  for (const { trace, view } of steps) {
    if (!wanted()) return false;
    await board.sow(trace, view);
  }
  return wanted();
}
