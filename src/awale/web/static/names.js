// Players' names for people.

import { t } from "./texts.js";

/** A seat's name for people. @param {import("./types.js").SeatState} seat @param {string} otherwise */
export function seatName(seat, otherwise) {
  const level = /^engine:([1-8])$/.exec(seat.name);
  if (level) return t("computer-level", { n: level[1] });
  if (seat.kind === "computer") return t("computer", { name: seat.name });
  return seat.name || otherwise;
}
