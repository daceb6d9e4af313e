/** Where dashboards are deployed: what is put under a name is served there. */
import { json, serve } from "../serve.ts";

const SITES_MAX = 100;
const sites = new Map<string, string>();
/** The keys of the requests that have deployed something, in order. */
const deployments: string[] = [];

await serve(8097, ({ method, path, key, body }) => {
  if (path === "/deployments") return json(deployments);
  if (path === "/check") return json({ deployed: key }, deployments.includes(key) ? 200 : 404);
  if (method === "GET") {
    const page = sites.get(path);
    return page === undefined
      ? json({ error: "nothing here" }, 404)
      : { status: 200, type: "text/html", body: page };
  }
  const { page } = JSON.parse(body) as { readonly page?: unknown };
  if (method !== "PUT" || typeof page !== "string" || sites.size >= SITES_MAX)
    return json({ error: "wanted a page" }, 400);
  sites.set(path, page);
  deployments.push(key);
  return json({ deployed: path, bytes: page.length }, 201);
});
