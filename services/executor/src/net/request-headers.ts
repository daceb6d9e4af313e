/** Headers that a plan can add to a request: few, short, and none that changes how the request is interpreted. */
import { JsonObject } from "@planwright/plan";
import { z } from "zod";
import type { Tool } from "../tools/define-tool.ts";

const HEADERS_MAX = 20;
const VALUE_CHARS_MAX = 20_000;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection, of the body, or set by us. */
const RESERVED: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export type RequestHeaders = Readonly<Record<string, string>>;

/** Names are converted to lower case. */
export const RequestHeaders = z
  .record(z.string(), z.string().max(VALUE_CHARS_MAX))
  .check((context) => {
    const names = Object.keys(context.value).map((name) => name.toLowerCase());
    const fault = faultOf(names, Object.values(context.value));
    if (fault !== undefined) context.issues.push({ code: "custom", message: fault, input: names });
  })
  .transform(
    (headers): RequestHeaders =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

/**
 * The tool without headers in its spec. They are for secrets, and a tool's schema is part of every planner prompt: the executor
 * adds them where it has a secret for them.
 */
export function withoutHeadersInSpec(tool: Tool): Tool {
  const { properties } = tool.spec.input;
  const { headers: _headers, ...others } = JsonObject.parse(properties);
  return { ...tool, spec: { ...tool.spec, input: { ...tool.spec.input, properties: others } } };
}

function faultOf(names: readonly string[], values: readonly string[]): string | undefined {
  if (names.length > HEADERS_MAX) return `wanted at most ${HEADERS_MAX} headers, got ${names.length}`;
  if (new Set(names).size < names.length) return "wanted each header once";
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined) return `wanted the name of a header, got ${JSON.stringify(bad.slice(0, 100))}`;
  const reserved = names.find((name) => RESERVED.has(name) || name.startsWith("proxy-"));
  if (reserved !== undefined) return `wanted no header ${reserved}: it is set by the tool`;
  // Without the value, which may be a secret.
  const broken = names[values.findIndex((value) => !VALUE.test(value))];
  return broken === undefined ? undefined : `wanted one line of Latin-1 characters as the header ${broken}`;
}
