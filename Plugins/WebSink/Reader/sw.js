// Gives what was kept for reading without a network, and else asks for it. It keeps nothing by itself.
"use strict";
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(async error => {
    const kept = await caches.match(event.request, {ignoreSearch: true});
    if (kept) return kept;
    throw error;
  }));
});
