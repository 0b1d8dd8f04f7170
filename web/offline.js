/* Runs beside the page in a browser where a dealer's tool was opened: it keeps the page there, so that
   the tool opens again without a connection. The build adds BUILD and PARTS, all files of the page. */
const PAGE = "/";
/** How long a room may take to answer, in milliseconds. */
const PATIENCE = 4_000;
const KEPT = `queenhigh-page-${BUILD}`;

// Another build of the page is another worker: it takes over once no tab shows this one.
addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll([PAGE, ...PARTS]);
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

// Where the room serves a page, it is the room's.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(page(request));
  else if (PARTS.includes(pathname)) event.respondWith(part(pathname, request));
});

async function page(request) {
  try {
    const answer = await inTime(request);
    return cannotServe(answer) ? ((await kept(PAGE)) ?? answer) : answer;
  } catch {
    return (await kept(PAGE)) ?? Response.error();
  }
}

/** Whether the room, or a proxy before it, says that there is no page for now. */
const cannotServe = ({ status }) => status >= 500 || status === 429;

/** Return the room's answer, if it begins in time; the rest of it may take longer. */
async function inTime(request) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

const part = async (path, request) => (await kept(path)) ?? fetch(request);

async function kept(path) {
  const cache = await caches.open(KEPT);
  return cache.match(path);
}
