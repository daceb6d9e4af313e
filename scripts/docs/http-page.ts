import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startNats, startServiceProcess } from "@planwright/testkit";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

const Content = z.record(z.string(), z.object({ schema: z.unknown().optional() }));
const Operation = z.object({
  summary: z.string().default(""),
  description: z.string().default(""),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().default(""),
        schema: z.unknown(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default("") })).default({}),
});
type Operation = z.infer<typeof Operation>;
const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** What the gateway itself says of its interface, at `/openapi.json`. */
export async function httpPage(): Promise<string> {
  const { paths } = OpenApi.parse(await fetchOpenApi());
  const operations = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      section(`${method.toUpperCase()} ${route}`, operation),
    ),
  );
  return `# HTTP interface

Made from \`/openapi.json\` of the gateway. Errors are problem+json (RFC 9457) with a stable \`code\`. With
\`PLANWRIGHT_API_KEYS\` set, every request needs \`Authorization: Bearer <key>\`.

${operations.join("\n")}`;
}

async function fetchOpenApi(): Promise<unknown> {
  const data = await mkdtemp(path.join(os.tmpdir(), "planwright-docs-"));
  try {
    await using nats = await startNats();
    await using gateway = await startServiceProcess("gateway", {
      NATS_URL: nats.url,
      PLANWRIGHT_DATA: data,
      PORT: "0",
      LOG_LEVEL: "error",
    });
    const response = await fetch(new URL("/openapi.json", gateway.url));
    return await response.json();
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

function section(title: string, operation: Operation): string {
  const parts = [`## ${title}`, [operation.summary, operation.description].filter(Boolean).join(". ")];
  if (operation.parameters.length > 0) {
    const rows = operation.parameters.map(({ name, in: place, required, description, schema }) => [
      `\`${name}\``,
      place,
      `${schemaText(schema)}${required ? "" : " (optional)"}`,
      description,
    ]);
    parts.push(tableOf(["parameter", "in", "type", ""], rows));
  }
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(`Body, \`${type}\`:`, bodyText(schema));
  }
  const answers = Object.entries(operation.responses).map(([status, { description }]) => [
    status,
    description,
  ]);
  if (answers.length > 0) parts.push(tableOf(["status", ""], answers));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function bodyText(schema: unknown): string {
  if (schema === undefined) return "bytes as they are";
  const node = readSchema(schema);
  const rows = Object.entries(node.properties ?? {}).map(([name, field]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(field, 1),
    typeof field === "boolean" ? "" : (readSchema(field).description ?? ""),
  ]);
  return rows.length === 0 ? schemaText(schema) : tableOf(["field", "type", ""], rows);
}
