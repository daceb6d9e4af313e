/**
 * The purposes of the offered tools, derived from their names, descriptions and arguments, so that a
 * renamed or added tool is used like the known ones.
 */
import { z } from "zod";
import type { OfferedTool } from "../../prompt/plan-prompt.ts";
import { contentWords, overlap, stem, wordsOf } from "../text/words.ts";

export type Role = "query" | "search" | "fetch" | "calculate" | "chart" | "save" | "write" | "echo" | "wait";

/** The usual name of each role, and the arguments that identify a tool with another name. */
const ROLES: Readonly<Record<Role, { readonly name: string; readonly args: readonly string[] }>> = {
  query: { name: "sql.query", args: ["source", "sql"] },
  search: { name: "docs.search", args: ["query"] },
  fetch: { name: "http.fetch", args: ["url"] },
  calculate: { name: "math.evaluate", args: ["expression"] },
  chart: { name: "chart.render", args: ["spec"] },
  save: { name: "files.write", args: ["path", "content"] },
  write: { name: "model.write", args: ["prompt"] },
  echo: { name: "flow.echo", args: [] },
  wait: { name: "flow.wait", args: [] },
};

/** Tools that pass the goal on to another model or person: rules that cannot answer it must not pretend to. */
const DELEGATING = /^(plan|agent|code|human|flow|model|files)\./;

const InputShape = z.object({
  properties: z.record(z.string(), z.unknown()).catch({}),
  required: z.array(z.string()).catch([]),
});

/** The tool for a role: the one with the usual name, or the first whose required arguments match the role's. */
export function toolFor(role: Role, tools: readonly OfferedTool[]): OfferedTool | null {
  const { name, args } = ROLES[role];
  const named = tools.find((tool) => tool.name === name);
  if (named !== undefined || args.length === 0) return named ?? null;
  return tools.find((tool) => !DELEGATING.test(tool.name) && takes(tool, args)) ?? null;
}

/** Of several search tools, the one whose name and description have most words in common with the topic. */
export function searchToolFor(text: string, tools: readonly OfferedTool[]): OfferedTool | null {
  const usual = toolFor("search", tools);
  const others = tools.filter(
    (tool) => tool !== usual && !DELEGATING.test(tool.name) && takes(tool, ["query"]),
  );
  const best = others.toSorted((a, b) => fit(text, b) - fit(text, a))[0];
  if (usual === null) return best ?? null;
  return best !== undefined && fit(text, best) > fit(text, usual) ? best : usual;
}

/** A tool of no known role whose name and description match the clause, with arguments read from it. */
export function specialTool(
  clause: string,
  tools: readonly OfferedTool[],
): { readonly tool: OfferedTool; readonly args: Readonly<Record<string, string | number>> } | null {
  const known = new Set(Object.values(ROLES).map(({ name }) => name));
  const fitting = tools
    .filter((tool) => !known.has(tool.name) && !DELEGATING.test(tool.name) && namesAction(clause, tool))
    .toSorted((a, b) => fit(clause, b) - fit(clause, a));
  for (const tool of fitting) {
    const args = fillArguments(clause, tool);
    if (args !== null && fit(clause, tool) >= 3) return { tool, args };
  }
  return null;
}

/** Whether a search accepts the number of passages. */
export function takesLimit(tool: OfferedTool): boolean {
  return "limit" in InputShape.parse(tool.input).properties;
}

function takes(tool: OfferedTool, args: readonly string[]): boolean {
  const { properties, required } = InputShape.parse(tool.input);
  const needed = required.length > 0 ? required : Object.keys(properties);
  return args.every((name) => name in properties) && needed.every((name) => args.includes(name));
}

/** Words in common; the words of the name count twice. */
function fit(text: string, tool: OfferedTool): number {
  return overlap(text, tool.description) + 2 * overlap(text, tool.name.replaceAll(/[.-]/g, " "));
}

function namesAction(clause: string, tool: OfferedTool): boolean {
  const words = new Set(contentWords(clause).map(stem));
  return wordsOf(tool.name).some((part) => words.has(stem(part)));
}

const Property = z.object({
  type: z.unknown(),
  enum: z.array(z.string()).optional().catch(undefined),
});

/** Null when a required argument cannot be read from the clause. */
function fillArguments(clause: string, tool: OfferedTool): Record<string, string | number> | null {
  const { properties, required } = InputShape.parse(tool.input);
  const args: Record<string, string | number> = {};
  for (const name of required) {
    const property = Property.safeParse(properties[name]);
    const value = property.success ? valueFor(clause, name, property.data) : null;
    if (value === null) return null;
    args[name] = value;
  }
  // A tool that reads a file or a page needs one, even if it leaves open which of the two.
  const places = Object.keys(properties).filter((name) => PLACE.test(name) && !required.includes(name));
  const [place] = places.flatMap((name) => {
    const value = valueFor(clause, name, { type: "string" });
    return value === null ? [] : [{ name, value }];
  });
  if (places.length > 0 && place === undefined) return null;
  return place === undefined ? args : { ...args, [place.name]: place.value };
}

const PLACE = /^(?:path|file|file_?name|url|uri)$/i;

function valueFor(
  clause: string,
  name: string,
  { type, enum: choices }: Partial<z.infer<typeof Property>>,
): string | number | null {
  if (choices !== undefined) return choices.find((choice) => overlap(choice, clause) > 0) ?? null;
  if (type === "number" || type === "integer") {
    const number = /-?\d+(\.\d+)?/.exec(clause)?.[0];
    return number === undefined ? null : Number(number);
  }
  if (type !== "string") return null;
  if (/^ur[li]$/i.test(name)) return /https?:\/\/\S+/.exec(clause)?.[0] ?? null;
  if (PLACE.test(name))
    return /[\w./-]*\w\.[a-z]\w{1,4}(?![\w@])/i.exec(clause.replaceAll(/https?:\/\/\S+/g, ""))?.[0] ?? null;
  const quoted = /["“]([^"”]+)["”]/.exec(clause)?.[1];
  if (quoted !== undefined) return quoted;
  if (/^(query|question|text|q|search|topic|prompt|input|message)$/i.test(name)) return clause;
  // `the weather in Oslo`: the word after a preposition, or the last capitalized name.
  const named =
    /\b(?:in|for|at|of|about|from|to)\s+(\p{Lu}[\p{L}\p{N}'-]*(?:\s\p{Lu}[\p{L}\p{N}'-]*)*)/u.exec(clause);
  return named?.[1] ?? null;
}
