// The service worker: static files from the cache, and a page that says so when the server cannot be reached.

/** @type {any} */
const worker = self;
/** Replaced by the server: a new version is a new worker, with a cache of its own. */
const VERSION = "VERSION";
const CACHE = `awale-${VERSION}`;
const FILES = `/static/${VERSION}/`;
const SHELL = ["/offline", ...["app.css", "board.css", "settings.js", "keep.js", "svg.js", "icon.svg"].map((name) => FILES + name)];

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((keys) => {
    const old = keys.filter((key) => key.startsWith("awale-") && key !== CACHE);
    return Promise.all([worker.clients.claim(), ...old.map((key) => caches.delete(key))]);
  }));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await caches.match("/offline")) ?? Response.error()));
  } else if (new URL(request.url).pathname.startsWith(FILES)) event.respondWith(fromCache(request));
});

/** A file under an address with its version never changes. @param {Request} request */
async function fromCache(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const copy = answer.clone();
    void caches.open(CACHE).then((cache) => cache.put(request, copy));
  }
  return answer;
}
