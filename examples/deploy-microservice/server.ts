/** A data centre, as far as the deployment needs it: it creates a machine for every request, whatever has come before. */
import { json, serve } from "../serve.ts";

const MACHINES_MAX = 1_000;
/** The keys of the requests that created the machines. */
const machines: string[] = [];

await serve(8099, ({ method, path, key }) => {
  if (path === "/check") return json({ created: machines.includes(key) }, machines.includes(key) ? 200 : 404);
  if (method !== "POST" || path !== "/machines" || machines.length >= MACHINES_MAX)
    return json({ error: "no such resource" }, 404);
  machines.push(key);
  return json({ machine: machines.length }, 201);
});
