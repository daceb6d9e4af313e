import "./styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApiKey } from "./api/api-key.ts";
import { connect, createGateway } from "./api/gateway.ts";
import { App } from "./app.tsx";
import { createKeyMap } from "./keys/key-map.ts";
import { listenToKeys } from "./keys/listen-to-keys.ts";
import { noticeSleep } from "./live/notice-sleep.ts";
import { createPageTitle } from "./notify/page-title.ts";
import { createPlanCounts } from "./plans/plan-counts.ts";
import { createSignIn } from "./sign-in/create-sign-in.ts";
import { createTheme } from "./shell/theme.ts";
import { browserMemory } from "./ui/browser-memory.ts";

const apiKey = createApiKey(
  browserMemory(() => sessionStorage),
  {
    channel: new BroadcastChannel("planwright.api-key"),
    // Its content belongs to the user who has signed out.
    onForgotten: () => location.reload(),
  },
);
const signIn = createSignIn({
  options: () => client.session.signInOptions(),
  memory: browserMemory(() => sessionStorage),
  address: () => location.pathname + location.search + location.hash,
  leaveTo: (url) => location.assign(url),
});
const client = connect(apiKey, { whenRefused: signIn.whenRefused });
const gateway = createGateway(client);
const { live } = client;
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

const planCounts = createPlanCounts();
const title = createPageTitle(document, planCounts);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App services={{ gateway, live, apiKey, signIn, theme, keys, title, planCounts }} />
  </StrictMode>,
);
