// Requests to the server, and a WebSocket that reconnects.

import { t } from "./texts.js";

export class Refused extends Error {}

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
  throw new Refused(typeof detail === "string" && detail ? detail : t("refused.unknown"));
}

/**
 * A WebSocket to a path of this server that reconnects with growing delays.
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
    this._connect();
    this._beat = setInterval(() => this.send({ type: "ping" }), 25000);
    this._online = () => this._again(0);
    addEventListener("online", this._online);
  }

  _connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this._path()}`);
    this._socket = socket;
    socket.onopen = () => {
      this._tries = 0;
      this._onState("open");
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "closing") socket.close();
      else if (message.type !== "pong") this._onMessage(message);
    };
    socket.onclose = (event) => {
      if (this._closed || this._socket !== socket) return;
      if (event.code === 4404 || event.code === 4403) {
        this._onState("gone");
        return;
      }
      this._onState("lost");
      this._again(Math.min(8000, 250 * 2 ** this._tries++));
    };
  }

  /** @param {number} ms */
  _again(ms) {
    clearTimeout(this._timer);
    if (this._closed || this._socket?.readyState === WebSocket.OPEN) return;
    this._timer = setTimeout(() => this._connect(), ms);
  }

  /** @param {any} message @returns {boolean} whether it was sent */
  send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this._closed = true;
    clearInterval(this._beat);
    clearTimeout(this._timer);
    removeEventListener("online", this._online);
    this._socket?.close();
  }
}
