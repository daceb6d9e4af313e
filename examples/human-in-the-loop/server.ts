/** A messenger: it delivers every message that it gets. */
import { json, serve } from "../serve.ts";

const MESSAGES_MAX = 1_000;
let messages = 0;

await serve(8099, ({ method, path, body }) => {
  if (method !== "POST" || path !== "/messages" || messages >= MESSAGES_MAX)
    return json({ error: "no such resource" }, 404);
  const { to } = JSON.parse(body) as { readonly to?: unknown };
  if (typeof to !== "string") return json({ error: "wanted a recipient" }, 400);
  messages += 1;
  return json({ sent: messages }, 201);
});
