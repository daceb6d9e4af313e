import type { FastifyInstance } from "fastify";
import { z } from "zod";

const Operation = z.object({ summary: z.string().default(""), description: z.string().default("") });

/** The part of the document that the page shows. */
const Reference = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid #8884 }`;

/** `GET /openapi.json`: the reference for programs. `GET /docs`: the same for people, as one plain page. */
export function apiReferenceRoutes(app: FastifyInstance): void {
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  app.get("/docs", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(page(Reference.parse(app.swagger()))),
  );
}

function page(reference: z.output<typeof Reference>): string {
  const { info, paths } = reference;
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      rowOf(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(info.title)} HTTP reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>${escape(info.title)} ${escape(info.version)}</h1><p>${escape(info.description)}</p>
<p>Schemas: <a href="/openapi.json">openapi.json</a>. Live: <code>GET /v1/ws</code> is a WebSocket with the
subprotocol <code>planwright.v1</code>.</p>
<table><thead><tr><th>Call</th><th>Does</th></tr></thead><tbody>${rows.join("")}</tbody></table></body></html>
`;
}

function rowOf(call: string, { summary, description }: z.output<typeof Operation>): string {
  const more = description === "" ? "" : `<br><small>${escape(description)}</small>`;
  return `<tr><td><code>${escape(call)}</code></td><td>${escape(summary)}${more}</td></tr>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
