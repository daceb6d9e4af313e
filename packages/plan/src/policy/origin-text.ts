/** Describes the origin of a call's arguments and the destinations of its URLs, for the dashboard and the CLI. */
import type { ArgumentOrigin } from "../events/approval-events.ts";
import type { ComposedUrl } from "../egress/egress-rule.ts";

/** Returns, for example, `written by a model that had read sql.query (private content)`. */
export function originText({ author, tools = [], content }: Omit<ArgumentOrigin, "argument">): string {
  const what = tools.join(", ") + contentText(content);
  if (author === "model") return `written by a model${what === "" ? "" : ` that had read ${what}`}`;
  const by = author === "user" ? "written by the user" : "taken from another plan";
  return what === "" ? by : `${by}, with output of ${what}`;
}

/** Returns, for example, `evil.example/a?q=secret`, decoded for display; undefined if the URL is not known before the call. */
export function composedText({ host, path = "", query }: ComposedUrl): string | undefined {
  return host === undefined ? undefined : `${host}${path}${query === undefined ? "" : `?${query}`}`;
}

function contentText(content: ArgumentOrigin["content"]): string {
  if (content === undefined) return "";
  return content === "private" ? " (private content)" : " (the public web)";
}
