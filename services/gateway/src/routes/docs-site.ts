import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { existsSync } from "node:fs";
import path from "node:path";
import { Problem } from "../http/problem.ts";
import { HELP, helpPage } from "./api-reference.ts";
import { isFile, sendHashed, sendUnhashed } from "./static-files.ts";

const BASE = "/docs/guide";
const INDEX = "index.html";
const NOT_FOUND = "404.html";

const NOT_BUILT = helpPage({
  title: "Planwright docs",
  body: `<h1>The docs site is not built</h1>
<p>Run <code>npm run docs</code> in the repository that the gateway runs from, then reload this page. It takes less than a
minute. The same pages are Markdown files in the folder <code>docs</code>.</p>
<p><a href="/docs">HTTP reference</a></p>${HELP}`,
});

/**
 * `GET /docs/guide/`: the files of the docs site. Like the dashboard's files, they are public.
 *
 * The folder is read on each request: the site may be built while the gateway runs. The static-files plugin is registered by
 * the dashboard's routes.
 */
export function docsSiteRoutes(app: FastifyInstance, { folder }: { readonly folder: string }): void {
  app.get(BASE, { config: { isOther: true } }, async (_request, reply) => reply.redirect(`${BASE}/`));
  app.get(`${BASE}/*`, { config: { isOther: true } }, async (request, reply) =>
    sendPage(request, reply, folder),
  );
}

function sendPage(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  const file = fileOf(request);
  if (isFile(folder, file)) {
    return file.startsWith("assets/") ? sendHashed(reply, folder, file) : sendUnhashed(reply, folder, file);
  }
  // The address as typed by users; without this, the site's own script would show an empty page.
  const meant = [`${file}.html`, `${file}/${INDEX}`].find((name) => isFile(folder, name));
  if (meant !== undefined) return reply.redirect(`${BASE}/${encodeURI(meant)}`);
  const isPage = [".html", ""].includes(path.extname(file));
  if (isPage && !existsSync(path.join(folder, INDEX))) {
    return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(NOT_BUILT);
  }
  if (isPage && isFile(folder, NOT_FOUND)) return sendUnhashed(reply.code(404), folder, NOT_FOUND);
  throw new Problem("not_found", `there is no ${JSON.stringify(request.url.slice(0, 200))}`);
}

/** Returns the requested file, relative to the folder and never outside it; for a folder, its index. */
function fileOf({ params }: FastifyRequest): string {
  const wanted = typeof params === "object" && params !== null && "*" in params ? String(params["*"]) : "";
  const file = path.posix.normalize(`/${wanted}`).slice(1);
  return file === "" || file.endsWith("/") ? `${file}${INDEX}` : file;
}
