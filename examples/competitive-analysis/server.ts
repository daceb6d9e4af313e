/** The web pages about the competitors. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { json, serve } from "../serve.ts";

const PAGE = /^\/[a-z]+\/[a-z]+\.md$/;

await serve(8098, async ({ path: page }) => {
  if (!PAGE.test(page)) return json({ error: "no such page" }, 404);
  const body = await readFile(path.join(import.meta.dirname, "pages", page), "utf8");
  return { status: 200, type: "text/markdown", body };
});
