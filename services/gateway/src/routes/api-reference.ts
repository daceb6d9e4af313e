import { getOpenApi, getReference, openApiDocument, PROBLEMS } from "@planwright/api";
import { VERSION } from "@planwright/shared/version";
import { z } from "zod";
import { type App, sendJson, serve } from "../http/contract.ts";

const Operation = z.object({ summary: z.string().default(""), description: z.string().default("") });

/** The part of the OpenAPI document that the page shows. */
const Reference = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

const STYLE = `:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid #8884 }`;

/** Where to find help. The page loads nothing from another host. */
export const HELP = `<h2>Help</h2>
<ul><li>Command line, in the folder of the repository: <code>npx planwright --help</code>. To check the installation:
<code>npx planwright doctor</code>.</li>
<li>If something fails: <code>docs/troubleshooting.md</code>. New here: <code>docs/tutorial.md</code>.</li>
<li>To use a language model instead of the demo model, start with <code>OPENAI_API_KEY</code> set, or with
<code>OPENAI_BASE_URL</code> for another server: <code>docs/guides/local-models.md</code>.</li></ul>
<p><a href="/">Dashboard</a></p>`;

/** A page without scripts. @param body - HTML. */
export function helpPage({ title, body }: { readonly title: string; readonly body: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body>${body}</body></html>
`;
}

/** `GET /openapi.json`: the reference for programs. `GET /docs`: the same for users, with links to help. */
export function apiReferenceRoutes(app: App, { withKeys }: { readonly withKeys: boolean }): void {
  // Created on first request and then cached: it is large, and never changes while a gateway runs.
  let written: { readonly json: string; readonly html: string } | undefined;
  const reference = () => {
    if (written !== undefined) return written;
    const document = openApiDocument({ version: VERSION, withKeys });
    written = { json: JSON.stringify(document), html: page(Reference.parse(document)) };
    return written;
  };
  serve(app, getOpenApi, async (_request, reply) => sendJson(reply, reference().json));
  serve(app, getReference, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(reference().html),
  );
}

function page(reference: z.output<typeof Reference>): string {
  const { info, paths } = reference;
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      rowOf(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  return helpPage({
    title: `${info.title} help`,
    body: `<h1>${escape(info.title)} ${escape(info.version)}</h1>
<p><strong><a href="/docs/guide/">Documentation</a></strong>: tutorial, concepts, guides and reference, with search.</p>${HELP}
<h2>HTTP reference</h2><p>${escape(info.description)}</p>
<p>Schemas: <a href="/openapi.json">openapi.json</a>. Live: <code>GET /v1/ws</code> is a WebSocket with the
subprotocol <code>planwright.v1</code>.</p>
<table><thead><tr><th>Call</th><th>Does</th></tr></thead><tbody>${rows.join("")}</tbody></table>
<h2>Refusals</h2><table><thead><tr><th>Status</th><th>Code</th><th>Means</th></tr></thead><tbody>${REFUSALS}</tbody></table>`,
  });
}

const REFUSALS = Object.entries(PROBLEMS)
  .map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${title}</td></tr>`,
  )
  .join("");

function rowOf(call: string, { summary, description }: z.output<typeof Operation>): string {
  const more = description === "" ? "" : `<br><small>${escape(description)}</small>`;
  return `<tr><td><code>${escape(call)}</code></td><td>${escape(summary)}${more}</td></tr>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
