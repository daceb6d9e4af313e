/** URLs whose target the step's author determined. */
import type { Json } from "../values/json.ts";
import { isJsonObject } from "../values/json-guards.ts";
import { isByUser } from "../policy/argument-origins.ts";
import type { Written } from "../policy/provenance.ts";
import { isReferenceObject, parseItemReference, parseReference, TEMPLATE } from "../language/references.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { readsWeb } from "./content-tools.ts";
import type { UrlArgument } from "./url-arguments.ts";

/** A text that begins with a protocol and a whole host. */
const ORIGIN = /^\s*https?:\/\/[^/?#\s{}]+[/?#]/i;

/**
 * Whether an author who has read nothing wrote the URL, or a reference to what the web returned, or its beginning: then
 * the host is one that the user named, or the user is the author.
 *
 * @param options.named - Returns the hosts that the user named.
 */
export function authoredUrl(
  plan: KnownPlan,
  { path, url }: UrlArgument,
  { written, named }: { readonly written: Written; readonly named: () => ReadonlySet<string> },
): boolean {
  const value = writtenAt(written.args, path);
  if (value === undefined) return false;
  if (isReferenceObject(value)) return leadsToWeb(plan, value.$ref, written);
  if (typeof value !== "string") return false;
  const references = Array.from(value.matchAll(TEMPLATE), ([, inside = ""]) => inside);
  if (references.length === 0) return true;
  const [whole = ""] = references;
  if (references.length === 1 && /^\s*\{\{[^}]*\}\}\s*$/.test(value)) return leadsToWeb(plan, whole, written);
  return (
    url !== undefined && beginsAsWritten(value, url) && (isByUser(plan, written) || named().has(url.host))
  );
}

/** What was planned at a place among the arguments: a part of the value, or the reference that it is in. */
function writtenAt(args: Json, path: UrlArgument["path"]): Json | undefined {
  let value: Json | undefined = args;
  for (const key of path) {
    if (value === undefined || (isJsonObject(value) && isReferenceObject(value))) break;
    if (Array.isArray(value)) value = typeof key === "number" ? value[key] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }
  return value;
}

/** Whether the host, and all that was written before the first reference, are in the URL as they were written. */
function beginsAsWritten(template: string, url: URL): boolean {
  const start = template.slice(0, template.indexOf("{{"));
  if (!ORIGIN.test(start)) return false;
  const written = URL.parse(start);
  return written !== null && written.origin === url.origin && url.href.startsWith(written.href);
}

/** Whether a reference leads to the output of a tool that reads the public web, and of no other. */
function leadsToWeb({ steps }: KnownPlan, text: string, { forEach }: Written): boolean {
  const isItem = forEach !== undefined && parseItemReference(text) !== undefined;
  const source = isItem ? listOf(forEach) : text;
  const reference = source === undefined ? undefined : parseReference(source);
  const step = reference === undefined ? undefined : steps.get(reference.stepId)?.step;
  return step !== undefined && readsWeb(step.tool) && step.fallback === undefined;
}

function listOf(forEach: Json): string | undefined {
  return isReferenceObject(forEach) ? forEach.$ref : undefined;
}
