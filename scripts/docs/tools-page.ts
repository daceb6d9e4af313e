import type { ToolSpec } from "@planwright/plan";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

/** Settings without which an executor does not offer a tool. */
const NEEDS: Readonly<Record<string, string>> = {
  "web.search": "`SEARXNG_URL`, `BRAVE_API_KEY` or `TAVILY_API_KEY` ([web search](../web-search.md))",
  "email.send": "`SMTP_URL` and `EMAIL_FROM` ([e-mail](../email.md))",
};
/** Tools that are light only with small amounts of data. */
const LIGHT_WHERE: Readonly<Record<string, string>> = { "docs.search": " in a small folder" };
const SECOND_MS = 1_000;

/** Every built-in tool, from what an executor announces. */
export function toolsPage(tools: readonly ToolSpec[]): string {
  const sorted = tools.toSorted((left, right) => left.name.localeCompare(right.name, "en"));
  const rows = sorted.map(({ name, risk, effect, timeoutMs, pool }) => [
    `[\`${name}\`](#${name.replaceAll(".", "")})`,
    risk,
    effect,
    secondsOf(timeoutMs),
    `\`${pool}\``,
  ]);
  return `# Built-in tools

What an executor announces of its tools; \`GET /v1/tools\` and \`npx planwright tools\` list those of an installation, with
[your own](../own-tools.md) and those of [MCP servers](../mcp.md). What risk and effect mean, and what to use which for:
[tools](../tools.md).

${tableOf(["tool", "risk", "effect", "time-out", "pool"], rows)}

${sorted.map(sectionOf).join("\n")}`;
}

function sectionOf(tool: ToolSpec): string {
  const { name, description, modelTokens, untrusted, light } = tool;
  const needs = NEEDS[name];
  const more = [
    ...(needs === undefined ? [] : [`It is there only with ${needs}.`]),
    ...(modelTokens === undefined ? [] : [`It asks a model: about ${modelTokens} tokens a run.`]),
    ...(untrusted === false ? ["Its output contains no untrusted text."] : []),
    ...(light === true ? [lightNote(name)] : []),
  ];
  return [
    `## ${name}`,
    description,
    "Arguments:",
    fieldsOf(tool.input),
    "Output:",
    fieldsOf(tool.output),
    more.join(" "),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function lightNote(name: string): string {
  const where = LIGHT_WHERE[name] ?? "";
  return `It is [light](../light-steps.md)${where}: several steps of it may share a message.`;
}

function fieldsOf(schema: unknown): string {
  if (schema === undefined) return "any JSON";
  const node = readSchema(schema);
  const fields = Object.entries(node.properties ?? {});
  if (fields.length === 0) return schemaText(schema);
  const rows = fields.map(([name, field]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(field, 1),
    typeof field === "boolean" ? "" : (readSchema(field).description ?? ""),
  ]);
  return tableOf(["field", "type", ""], rows);
}

function secondsOf(ms: number): string {
  return ms % SECOND_MS === 0 ? `${ms / SECOND_MS} s` : `${ms} ms`;
}
