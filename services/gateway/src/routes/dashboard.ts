import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import path from "node:path";
import { Problem } from "../http/problem.ts";
import { isFile, sendHashed, sendUnhashed } from "./static-files.ts";

const PAGE = "index.html";
/** The content of files with a hash in their name never changes. */
const HASHED = /^assets\//;

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Planwright</title><meta http-equiv="refresh" content="2"></head>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Planwright</h1>
<p>The gateway is running. Its dashboard has not been built, or is being built right now; then it appears here by itself.</p>
<p><a href="/docs">HTTP reference</a> · <a href="/readyz">Is the system ready?</a></p>
</body></html>
`;

/**
 * `GET /`: the dashboard's files, and its page for every path that the page handles itself.
 *
 * The folder is checked on each request: it may be built while the gateway runs.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { folder }: { readonly folder: string },
): Promise<void> {
  await app.register(fastifyStatic, {
    serve: false,
    root: folder,
    suppressWarning: true,
    dotfiles: "deny",
    preCompressed: true,
  });
  app.get("/*", { config: { isOther: true } }, async (request, reply) => sendFile(request, reply, folder));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  const file = fileOf(request);
  if (file !== PAGE && isFile(folder, file)) {
    return HASHED.test(file) ? sendHashed(reply, folder, file) : sendUnhashed(reply, folder, file);
  }
  // A path without an extension is handled by the page.
  if (path.extname(file) !== "" && file !== PAGE) {
    throw new Problem("not_found", `there is no ${JSON.stringify(request.url.slice(0, 200))}`);
  }
  if (isFile(folder, PAGE)) return sendUnhashed(reply, folder, PAGE);
  return reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(NOT_BUILT);
}

/** The requested file, relative to the folder. Paths that lead outside are refused when the file is sent. */
function fileOf({ params, url }: FastifyRequest): string {
  const wanted = typeof params === "object" && params !== null && "*" in params ? String(params["*"]) : "";
  if (/^(?:v1|otlp)(?:\/|$)/.test(wanted)) {
    throw new Problem("not_found", `there is no ${JSON.stringify(url.slice(0, 200))}`);
  }
  const normal = path.posix.normalize(`/${wanted}`).slice(1);
  return normal === "" ? PAGE : normal;
}
