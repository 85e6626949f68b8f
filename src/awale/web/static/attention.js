// "Your turn" for people who look elsewhere: the page's title, a sound, and a notification where it is allowed.

import { remembered } from "./keep.js";
import { play } from "./sound.js";
import { t } from "./texts.js";

const title = document.title;
let waiting = false;

/** @param {boolean} mine  whether this page's player is to move @param {boolean} called  whether another move led to it */
export function turn(mine, called) {
  document.title = mine ? `● ${t("your-turn")} · ${title}` : title;
  if (mine && !waiting && called) {
    play("turn");
    if (document.hidden && remembered("notify", "") && "Notification" in window && Notification.permission === "granted") {
      const note = new Notification(t("your-turn"), { tag: location.pathname, icon: "/static/icon.svg" });
      note.onclick = () => {
        window.focus();
        note.close();
      };
    }
  }
  waiting = mine;
}

export function ended() {
  document.title = title;
  waiting = false;
  play("end");
}
