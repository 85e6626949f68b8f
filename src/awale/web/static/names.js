// Players' names for people.

import { pageData, say, t } from "./texts.js";

/** @type {{name: string, title: Record<string, string>}[]} */
const programs = pageData("data").players ?? [];

/** A seat's name for people. @param {import("./types.js").SeatState} seat @param {string} otherwise */
export function seatName(seat, otherwise) {
  const level = /^engine:([1-8])$/.exec(seat.name);
  if (level) return t("computer-level", { n: level[1] });
  if (seat.kind === "computer") return t("computer", { name: say(programs.find((one) => one.name === seat.name)?.title) || seat.name });
  return seat.name || otherwise;
}
