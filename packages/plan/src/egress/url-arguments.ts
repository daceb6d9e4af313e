/**
 * Finds the URLs in a call's arguments: where its tool connects, and what data it sends there.
 *
 * It is unknown how custom tools and MCP servers use their arguments, so any argument that looks like a URL counts, by its name
 * or by its value.
 */
import type { Json, JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json-guards.ts";
import { holdsStandIn } from "../arguments/placeholders.ts";

/** Built-in tools that do not connect to anything that their arguments name. */
const STAYS_INSIDE: ReadonlySet<string> = new Set([
  "agent.react",
  "chart.render",
  "code.run",
  "data.apply",
  "data.dryrun",
  "docs.search",
  "email.draft",
  "email.send",
  "files.list",
  "files.read",
  "files.write",
  "flow.echo",
  "flow.wait",
  "human.ask",
  "math.evaluate",
  "model.write",
  "plan.run",
  "report.render",
  "sql.query",
  "web.search",
]);

const URL_NAME = /(?:url|uri|href|endpoint)s?$/i;
/** URLs with spaces count too, since they reach a server encoded. */
const ABSOLUTE = /^(?:https?|wss?|ftp):\/\/\S/i;
const ABSOLUTE_START = /^\s*(?:https?|wss?|ftp):/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** An argument that is a URL, with its path: `url`, `pages[2].href`. */
export type UrlArgument = {
  readonly field: string;
  readonly path: readonly (string | number)[];
  /** Undefined if it is unknown before the call, such as a part of an output that is stored as a file. */
  readonly url: URL | undefined;
};

/** Whether a tool may connect to hosts that its arguments name. */
export function reachesOut(tool: string): boolean {
  return !STAYS_INSIDE.has(tool);
}

/** Whether an argument of this name is a URL. */
export function namesUrl(key: string): boolean {
  return URL_NAME.test(key);
}

/** Returns the URLs in a call's arguments, in order; empty for tools that connect to nothing. */
export function urlArguments(tool: string, args: JsonObject): UrlArgument[] {
  const found: UrlArgument[] = [];
  const note = (path: UrlArgument["path"], url: URL | undefined): void => {
    found.push({ field: fieldOf(path), path, url });
  };
  const look = (value: Json, path: UrlArgument["path"], isNamed: boolean): void => {
    if (typeof value === "string") {
      const url = urlOf(value.trim(), isNamed);
      if (url !== undefined) note(path, url);
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => look(entry, [...path, index], isNamed));
    } else if (isJsonObject(value)) {
      if (mayBecomeUrl(value, isNamed)) note(path, undefined);
      else for (const [key, entry] of Object.entries(value)) look(entry, [...path, key], URL_NAME.test(key));
    }
  };
  if (reachesOut(tool)) look(args, [], false);
  return found;
}

function fieldOf(path: UrlArgument["path"]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}

/** Whether a part of an output that only a worker loads is, or ends, a URL. */
function mayBecomeUrl(value: JsonObject, isNamed: boolean): boolean {
  const template = value["$template"];
  const [start] = Array.isArray(template) ? template : [];
  if (typeof start === "string" && ABSOLUTE_START.test(start)) return true;
  return isNamed && holdsStandIn(value);
}

function urlOf(text: string, isNamed: boolean): URL | undefined {
  if (ABSOLUTE.test(text)) return URL.parse(text) ?? undefined;
  if (!isNamed || text === "") return undefined;
  if (SCHEME.test(text) && !/^[^/]*:\d/.test(text)) return withHost(URL.parse(text));
  if (text.startsWith("//")) return withHost(URL.parse(`https:${text}`));
  // A path below an address that the tool knows.
  return /^[./?#]/.test(text) ? undefined : withHost(URL.parse(`https://${text}`));
}

function withHost(url: URL | null): URL | undefined {
  return url === null || url.hostname === "" ? undefined : url;
}
