// Requests to the server, and a WebSocket that reconnects.

import { t } from "./texts.js";

export class Refused extends Error {
  /** @param {string} message @param {number} [status]  of the answer; 0 without one */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {any} [body]  sent as JSON by POST; without it a GET
 * @returns {Promise<any>}
 */
export async function call(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused(t("offline"));
  }
  const text = await answer.text();
  const json = (answer.headers.get("content-type") ?? "").includes("json");
  if (answer.ok) return json ? JSON.parse(text) : text;
  const detail = json ? JSON.parse(text).detail : "";
  throw new Refused(typeof detail === "string" && detail ? detail : t("refused.unknown"), answer.status);
}

/** Milliseconds without a message after which the server is asked for one, and those it has to answer. */
const QUIET = 4000, PATIENCE = 4000;

/**
 * A WebSocket to a path of this server. It reconnects with growing delays, also when the server just falls silent.
 */
export class Connection {
  /**
   * @param {() => string} path  asked for at every try, so that it can name the ply known by then
   * @param {(message: any) => void} onMessage
   * @param {(state: "open" | "lost" | "gone") => void} onState
   */
  constructor(path, onMessage, onState) {
    this._path = path;
    this._onMessage = onMessage;
    this._onState = onState;
    this._tries = 0;
    this._closed = false;
    this._check = () => this._socket?.readyState === WebSocket.OPEN ? this._ask() : this._connect();
    this._seen = () => document.hidden || this._check();
    addEventListener("online", this._check);
    addEventListener("offline", this._check);
    document.addEventListener("visibilitychange", this._seen);
    this._connect();
  }

  _connect() {
    if (this._closed) return;
    this._leave();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this._path()}`);
    this._socket = socket;
    this._expect(PATIENCE, () => this._lose());
    socket.onopen = () => {
      this._tries = 0;
      this._heard();
      this._onState("open");
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      this._heard();
      if (message.type === "closing") this._lose();
      else if (message.type !== "pong") this._onMessage(message);
    };
    socket.onclose = (event) => {
      if (event.code === 4404 || event.code === 4403) {
        this.close();
        this._onState("gone");
      } else this._lose();
    };
  }

  /** Do something unless a message comes first. @param {number} ms @param {() => void} action */
  _expect(ms, action) {
    clearTimeout(this._timer);
    this._timer = setTimeout(action, ms);
  }

  _heard() {
    this._expect(QUIET, () => this._ask());
  }

  _ask() {
    this.send({ type: "ping" });
    this._expect(PATIENCE, () => this._lose());
  }

  /** The connection is dead: say so and try again. */
  _lose() {
    this._leave();
    this._onState("lost");
    this._expect(Math.min(8000, 250 * 2 ** this._tries++), () => this._connect());
  }

  /** Let go of the socket; what still comes from it does not count. */
  _leave() {
    clearTimeout(this._timer);
    const socket = this._socket;
    this._socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {any} message @returns {boolean} whether it was sent */
  send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this._closed = true;
    this._leave();
    removeEventListener("online", this._check);
    removeEventListener("offline", this._check);
    document.removeEventListener("visibilitychange", this._seen);
  }
}
