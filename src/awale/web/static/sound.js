// Short sounds, made by the browser: nothing to load.

import { soundOn } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;

/** Notes in hertz, one after the other. */
const SOUNDS = { turn: [523, 784], end: [784, 659, 523] };

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  // Before the first click or key a page may make no sound.
  if (!soundOn() || !("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  const context = audio, start = context.currentTime + 0.02;
  SOUNDS[name].forEach((hertz, i) => {
    const note = context.createOscillator(), loudness = context.createGain(), at = start + i * 0.13;
    note.type = "triangle";
    note.frequency.value = hertz;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.12, at + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    note.connect(loudness).connect(context.destination);
    note.start(at);
    note.stop(at + 0.4);
  });
}
