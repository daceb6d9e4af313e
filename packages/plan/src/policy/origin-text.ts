/** Where the arguments of a call come from, and where its URLs lead, in words: for the page and the command line. */
import type { ArgumentOrigin } from "../events/approval-events.ts";
import type { ComposedUrl } from "../egress/egress-rule.ts";

/** `written by a model that had read sql.query (private content)`. */
export function originText({ author, tools = [], content }: Omit<ArgumentOrigin, "argument">): string {
  const what = tools.join(", ") + contentText(content);
  if (author === "model") return `written by a model${what === "" ? "" : ` that had read ${what}`}`;
  const by = author === "user" ? "written by the user" : "taken from another plan";
  return what === "" ? by : `${by}, with output of ${what}`;
}

/** `evil.example/a?q=secret`, as people read it; undefined when the URL is not known before the call. */
export function composedText({ host, path = "", query }: ComposedUrl): string | undefined {
  return host === undefined ? undefined : `${host}${path}${query === undefined ? "" : `?${query}`}`;
}

function contentText(content: ArgumentOrigin["content"]): string {
  if (content === undefined) return "";
  return content === "private" ? " (private content)" : " (the public web)";
}
