// Gives what was kept for reading without a network, and else asks for it. It keeps nothing by itself.
"use strict";
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  event.respondWith(answerTo(event.request));
});

/** What the server says, or what was kept if it says nothing or is not well. */
async function answerTo(request) {
  const kept = () => caches.match(request, {ignoreSearch: true, ignoreVary: true});
  try {
    const answer = await fetch(request);
    return answer.status < 500 ? answer : await kept() ?? answer;
  } catch (error) {
    const own = await kept();
    if (own) return own;
    throw error;
  }
}
