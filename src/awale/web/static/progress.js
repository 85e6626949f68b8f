// Which exercises of the lessons are solved: kept in this browser.

import { remember, rememberedRecord } from "./keep.js";

/** @returns {Record<string, string[]>} the solved exercises of each lesson */
export const solvedExercises = () => rememberedRecord("lessons");

/** The solved exercises of a lesson. @param {string} lesson @returns {Set<string>} */
export function solvedIn(lesson) {
  const found = solvedExercises()[lesson];
  return new Set(Array.isArray(found) ? found : []);
}

/** @param {string} lesson @param {string} exercise */
export function markSolved(lesson, exercise) {
  keepSolved({ ...solvedExercises(), [lesson]: [...solvedIn(lesson).add(exercise)] });
}

/** @param {Record<string, string[]>} lessons */
export const keepSolved = (lessons) => remember("lessons", JSON.stringify(lessons));
