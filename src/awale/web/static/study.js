// The board of a study: readers follow its chapters and answer its questions, editors change and share them.

import { desk } from "./analysis.js";
import { call, Refused } from "./api.js";
import { remember, remembered } from "./keep.js";
import { byId, html, maybe } from "./svg.js";
import { pageData, t } from "./texts.js";

/** @typedef {import("./tree.js").Node} Node */

/** @type {import("./types.js").StudyOutline} */
let study = pageData("data").study;
/** @type {import("./types.js").ChapterOutline | null} */
let chapter = null;
/** what is stored of the chapter on the board */ let stored = "";
/** @type {Promise<boolean> | null} */ let saving = null;
/** the chapters that are to be shown, one after another */ let loading = Promise.resolve();
/** whether the chapter must not be saved: it was changed elsewhere, or another one is being loaded */ let conflict = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
const address = `/api/studies/${study.key}`;
const PAUSE = 700;
const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

// -- questions -------------------------------------------------------------------------------------------------------

/** @type {Set<string>} the questions that were answered in this browser */
const answered = new Set(JSON.parse(remembered(`study-${study.key}`, "[]")));

/** @param {Node} node */
const name = (node) => `${chapter?.id}:${node.path.join(" ")}`;

/** Every question of a tree that has an answer. @param {Node} node @returns {Node[]} */
function questions(node) {
  return [...(node.quiz && node.children.length ? [node] : []), ...node.children.flatMap(questions)];
}

desk.prepare = (root) => {
  if (!study.mine) for (const node of questions(root)) node.closed = !answered.has(name(node));
};

desk.judge = (node, move) => {
  const [main, ...others] = node.children;
  const tried = others.find((other) => other.move === move);
  if (main.move !== move && !tried?.mark.startsWith("!")) {
    byId("quiz-said").textContent = t("study.wrong", { move }) + (tried?.comment ? ` ${tried.comment}` : "");
    return false;
  }
  answer(node);
  byId("quiz-right").textContent = t("study.right", { move });
  return true;
};

/** @param {Node} node */
function answer(node) {
  node.closed = false;
  answered.add(name(node));
  remember(`study-${study.key}`, JSON.stringify([...answered]));
}

byId("quiz-show").addEventListener("click", () => {
  const node = desk.current;
  answer(node);
  void desk.visit(node.children[0]);
});

// -- display ---------------------------------------------------------------------------------------------------------

function show() {
  const node = desk.current;
  byId("study-comment").textContent = node.comment;
  if (byId("quiz-box").hidden !== !node.closed) byId("quiz-said").textContent = "";
  byId("quiz-box").hidden = !node.closed;
  document.body.classList.toggle("asking", node.closed);
  if (!node.parent?.quiz) byId("quiz-right").textContent = "";
  const all = questions(desk.root);
  byId("quiz-progress").textContent = all.length && !study.mine ? t("study.progress", { done: all.filter((one) => !one.closed).length, all: all.length }) : "";
  byId("next-chapter").hidden = Boolean(node.closed || node.shown.length || !study.chapters[place() + 1]);
  if (!study.mine) return;
  field("quiz").checked = node.quiz;
  if (conflict || !chapter) return;
  if (snapshot() !== stored) {
    byId("saved").textContent = t("study.unsaved");
    clearTimeout(timer);
    timer = setTimeout(() => void save(), PAUSE);
  }
}

const place = () => study.chapters.findIndex((one) => one.id === chapter?.id);

function list() {
  byId("study-title").textContent = study.title;
  byId("chapters").replaceChildren(...study.chapters.map((one) => {
    const button = html("button", { type: "button", onclick: () => void open(one.id) }, one.title);
    if (one.id === chapter?.id) button.setAttribute("aria-current", "true");
    return html("li", {}, button);
  }));
}

/** Put a chapter on the board, after those asked for before. @param {number} id @param {boolean} [anyway]  drop what is not saved */
function open(id, anyway = false) {
  return (loading = loading.then(() => load(id, anyway)));
}

/** @param {number} id @param {boolean} anyway */
async function load(id, anyway) {
  try {
    if (!anyway && !(await save())) return;
    const { game, ...outline } = await call(`${address}/chapters/${id}`);
    conflict = true; // what is shown while it loads is not a change
    chapter = outline;
    if (study.mine) {
      byId("conflict").hidden = true;
      field("chapter-title").value = outline.title;
    }
    await desk.load(game.rules, game.start, game.line, game.tags, game.comment);
    clearTimeout(timer);
    conflict = false;
    stored = snapshot();
    if (study.mine) byId("saved").textContent = t("study.saved");
    list();
  } catch (error) {
    tell(error);
  }
}

/** @param {unknown} error */
function tell(error) {
  desk.status(error instanceof Error ? error.message : String(error), true);
}

// -- changes ---------------------------------------------------------------------------------------------------------

function snapshot() {
  return JSON.stringify({ title: study.mine ? field("chapter-title").value.trim() : "", record: desk.record() });
}

/** Store the chapter on the board if it has changed. @returns {Promise<boolean>} whether it is stored */
async function save() {
  clearTimeout(timer);
  while (saving) await saving;
  if (!study.mine || !chapter || snapshot() === stored) return true;
  return conflict ? false : (saving = store(chapter));
}

/** @param {import("./types.js").ChapterOutline} changed */
async function store({ id, version }) {
  const sent = snapshot();
  byId("saved").textContent = t("study.saving");
  try {
    study = await call(address, { type: "save", chapter: id, version, ...JSON.parse(sent) });
    chapter = study.chapters.find((one) => one.id === id) ?? null;
    stored = sent;
    byId("saved").textContent = t("study.saved");
    list();
    return true;
  } catch (error) {
    conflict = error instanceof Refused && error.status === 409;
    byId("conflict").hidden = !conflict;
    byId("saved").textContent = conflict ? "" : t("study.not-saved", { problem: error instanceof Error ? error.message : String(error) });
    return false;
  } finally {
    saving = null;
    if (stored === sent && snapshot() !== stored) timer = setTimeout(() => void save(), PAUSE);
  }
}

/** Send a change of the study, and show a chapter. @param {any} change @param {(before: Set<number>) => number | undefined} [next] */
async function change(change, next) {
  const before = new Set(study.chapters.map((one) => one.id));
  study = await call(address, change);
  const wanted = next?.(before);
  list();
  if (wanted !== undefined) await open(wanted, true);
}

/** The first chapter that was not there. @param {Set<number>} before */
const added = (before) => study.chapters.find((one) => !before.has(one.id))?.id;

/** @param {string} question @param {() => Promise<void>} action */
function sure(question, action) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("sure-dialog"));
  byId("sure-title").textContent = question;
  byId("sure-yes").onclick = () => {
    dialog.close();
    void action().catch(tell);
  };
  dialog.showModal();
}

/** @type {Record<string, () => Promise<void> | void>} */
const actions = {
  "next-chapter": () => open(study.chapters[place() + 1].id),
  "read-link": () => copy(`${location.origin}/study/${study.key}`),
  "edit-link": async () => copy(location.origin + (await call(`${address}/edit-link`, {})).link),
  "add-chapter": async () => {
    if (!(await save())) return;
    const { rules } = desk.record();
    await change({ type: "add", title: t("study.chapter", { n: study.chapters.length + 1 }), record: { rules } }, added);
    field("chapter-title").select();
  },
  "import-chapters": () => {
    byId("import-error").textContent = "";
    /** @type {HTMLDialogElement} */ (byId("import-dialog")).showModal();
  },
  "import-go": async () => {
    try {
      if (!(await save())) return;
      await change({ type: "import", text: field("import-text").value, rules: desk.record().rules }, added);
      /** @type {HTMLDialogElement} */ (byId("import-dialog")).close();
    } catch (error) {
      byId("import-error").textContent = error instanceof Error ? error.message : String(error);
    }
  },
  "move-up": async () => {
    const order = study.chapters.map((one) => one.id), at = place();
    if (at > 0) [order[at - 1], order[at]] = [order[at], order[at - 1]];
    await change({ type: "arrange", version: study.version, title: study.title, order });
  },
  "remove-chapter": () => sure(t("study.sure-chapter", { title: chapter?.title ?? "" }), async () => {
    if (!chapter || study.chapters.length < 2 || !(await save())) return;
    await change({ type: "remove", chapter: chapter.id, version: chapter.version }, () => study.chapters[0].id);
  }),
  "delete-study": () => sure(t("study.sure-study", { title: study.title }), async () => {
    if (!(await save())) return;
    await call(`${address}/delete`, { version: study.version });
    location.assign("/studies");
  }),
  "keep-mine": () => change({ type: "add", ...JSON.parse(snapshot()) }, added),
  "load-theirs": async () => {
    study = await call(address);
    await open(place() < 0 ? study.chapters[0].id : study.chapters[place()].id, true);
  },
};
for (const [id, action] of Object.entries(actions)) maybe(id)?.addEventListener("click", () => void Promise.resolve().then(action).catch(tell));

/** @param {string} link */
async function copy(link) {
  byId("shared").textContent = link;
  await navigator.clipboard.writeText(link).then(() => (byId("shared").textContent = `${t("copied")} ${link}`), () => {});
}

if (study.mine) {
  field("quiz").addEventListener("change", () => {
    desk.current.quiz = field("quiz").checked;
    desk.show();
  });
  field("chapter-title").addEventListener("input", show);
  field("rename").addEventListener("change", () => {
    const order = study.chapters.map((one) => one.id);
    void change({ type: "arrange", version: study.version, title: field("rename").value, order }).catch(tell);
  });
  field("import-file").addEventListener("change", async () => {
    const file = field("import-file").files?.[0];
    if (file) field("import-text").value = (await file.text()).slice(0, 150000);
  });
  addEventListener("beforeunload", (event) => {
    if (chapter && snapshot() !== stored) event.preventDefault();
  });
}
desk.onShow = show;
if (study.chapters.length) await open(study.chapters[0].id, true);
document.documentElement.dataset.ready = "true";
