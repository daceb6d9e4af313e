import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApiKey, socketProtocols } from "./api/api-key.ts";
import { createGateway } from "./api/gateway.ts";
import { App } from "./app.tsx";
import { createKeyMap } from "./keys/key-map.ts";
import { listenToKeys } from "./keys/listen-to-keys.ts";
import { createLiveClient } from "./live/live-client.ts";
import { noticeSleep } from "./live/notice-sleep.ts";
import { createTheme } from "./shell/theme.ts";
import { browserMemory } from "./ui/browser-memory.ts";

const apiKey = createApiKey(browserMemory(() => sessionStorage));
const gateway = createGateway({ fetch: (input, init) => fetch(input, init), apiKey });
const live = createLiveClient({
  open: () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/v1/ws`, socketProtocols(apiKey.current()));
  },
  wait: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  random: Math.random,
});
addEventListener("online", live.wake);
noticeSleep(live.renew, {
  now: Date.now,
  every: (intervalMs, callback) => setInterval(callback, intervalMs),
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") live.wake();
});

const memory = browserMemory(() => localStorage);
const theme = createTheme(memory, document.documentElement);
const keys = createKeyMap({ memory, now: () => performance.now() });
listenToKeys(keys);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App services={{ gateway, live, apiKey, theme, keys }} />
  </StrictMode>,
);
