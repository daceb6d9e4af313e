import { DONE, ENDPOINTS, PROBLEM_TYPE, PROBLEMS } from "@planwright/api";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

const Content = z.record(z.string(), z.object({ schema: z.unknown().optional() }));
const Operation = z.object({
  operationId: z.string(),
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
  responses: z
    .record(z.string(), z.object({ description: z.string().default(""), content: Content.optional() }))
    .default({}),
});
type Operation = z.infer<typeof Operation>;
const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });
const WithSchemas = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

/** Long, and described elsewhere. */
const PLAN_VIEW = "GET /v1/plans/{planId}";

/** Renders the gateway's `/openapi.json` and the table of error codes. */
export function httpPage(openApi: unknown): string {
  const { components } = WithSchemas.parse(openApi);
  const { paths } = OpenApi.parse(withoutReferences(openApi, components.schemas));
  const operations = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      section(`${method.toUpperCase()} ${route}`, operation),
    ),
  );
  return `# HTTP interface

Generated from the gateway's \`/openapi.json\`. Errors are problem+json (RFC 9457) with a stable [code](#errors). If
\`PLANWRIGHT_API_KEYS\` or \`OIDC_ISSUER\` is set, every request needs \`Authorization: Bearer <key or token>\` or a browser session.
For the messages of \`GET /v1/ws\`, see [WebSocket](websocket.md).

${operations.join("\n")}
${errors()}`;
}

function errors(): string {
  const rows = Object.entries(PROBLEMS)
    .toSorted(([, left], [, right]) => left.status - right.status)
    .map(([code, { status, title }]) => [String(status), `\`${code}\``, title]);
  return `## Errors

The body of an error is \`{type, title, status, code, detail, issues?, retryAfterSeconds?}\`. \`detail\` says what was expected and
what was received, and \`issues\` has one entry \`{field, message}\` for each problem. Codes never change their meaning. Any operation
can return the codes of 400, 401, 403, 413, 415, 429, 500 and 503; other codes are listed with their operations.

${tableOf(["status", "code", "title"], rows)}
`;
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
    parts.push(tableOf(["parameter", "in", "type", "description"], rows));
  }
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(`Body, \`${type}\`:`, bodyText(schema));
  }
  for (const [status, { description, content = {} }] of Object.entries(operation.responses)) {
    const types = Object.keys(content);
    // Errors have their own table.
    if (types.length === 1 && types[0] === PROBLEM_TYPE) continue;
    const words = description === DONE ? "" : ` ${description.replace(`${DONE} `, "")}`;
    const { schema } = content["application/json"] ?? {};
    parts.push(`Returns ${status}.${words}`);
    if (title === PLAN_VIEW) parts.push("[The view of a plan](events.md#the-view-of-a-plan).");
    else if (schema !== undefined) parts.push(bodyText(schema));
  }
  const { problems = [] } = ENDPOINTS.find(({ id }) => id === operation.operationId) ?? {};
  if (problems.length > 0) parts.push(`Errors: ${problems.map((code) => `\`${code}\``).join(", ")}.`);
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function bodyText(schema: unknown): string {
  if (schema === undefined) return "raw bytes";
  const node = readSchema(schema);
  const rows = Object.entries(node.properties ?? {}).map(([name, field]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(field, 1),
    typeof field === "boolean" ? "" : (readSchema(field).description ?? ""),
  ]);
  return rows.length === 0 ? schemaText(schema) : tableOf(["field", "type", "description"], rows);
}

/** Returns a copy in which references are replaced by their schemas, except recursive ones. */
function withoutReferences(
  value: unknown,
  schemas: Readonly<Record<string, unknown>>,
  inside: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withoutReferences(entry, schemas, inside));
  if (typeof value !== "object" || value === null) return value;
  const reference = "$ref" in value && typeof value.$ref === "string" ? value.$ref : "";
  const name = /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1];
  if (name !== undefined) {
    const { $ref: _reference, ...more } = value as { readonly $ref: string };
    if (inside.includes(name)) return { type: "object", ...more };
    const schema = withoutReferences(schemas[name], schemas, [...inside, name]);
    return { ...(schema as object), ...more };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withoutReferences(entry, schemas, inside)]),
  );
}
