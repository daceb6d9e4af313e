/**
 * URLs that a model composed after it had read untrusted or private content. Through such a URL, the author of a text
 * that a plan has read could have the plan's data sent to a server of theirs.
 *
 * EGRESS-1. A URL is composed unless one of these holds: it appears in what the user wrote; the step's author had read
 *           nothing yet, and wrote the URL, or its beginning with a host that the user named, or a reference to what
 *           the web returned; nothing that was read has reached it; the loop has requested it before; only the public
 *           web was read, and the URL appears there.
 * EGRESS-2. It follows from the plan's log alone.
 */
import type { ComposedUrl } from "./egress-rule.ts";
import { hasContent, hasPrivateContent, readsWeb } from "./content-tools.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { type UrlArgument, urlArguments } from "./url-arguments.ts";
import type { StepOutput } from "../events/values.ts";
import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { deliveredBy } from "../machine/links/standing.ts";
import { isJsonObject } from "../values/json-guards.ts";
import { isByUser } from "../policy/argument-origins.ts";
import { type Trace, type Written, traceArguments } from "../policy/provenance.ts";
import { TEMPLATE, isReferenceObject, parseItemReference, parseReference } from "../language/references.ts";
import { HUMAN_ASK } from "../language/tool-names.ts";

/** Returns the URLs among a call's arguments that a model composed; empty if no rule of the plan needs them. */
export function composedUrls(plan: KnownPlan, call: TracedCall): ComposedUrl[] {
  const { egress } = plan.goal;
  if (egress.composedUrls === "allow" || call.args === undefined) return [];
  const urls = urlArguments(call.tool, call.args).filter(
    ({ url }) => url === undefined || !isHostAmong(url.hostname, egress.hosts),
  );
  if (urls.length === 0) return [];
  let user: ReadonlySet<string> | undefined;
  const userWrote = () => (user ??= userUrls(plan));
  const written = call.written !== undefined && hasReadNothing(plan, call.written) ? call.written : undefined;
  const isAuthored = (one: UrlArgument): boolean =>
    written !== undefined && authoredUrl(plan, one, { written, named: () => hostsOf(userWrote()) });
  const left = urls.filter((one) => !isAuthored(one) && !isIn(one, userWrote()));
  return left.length === 0 ? [] : unlessRead(plan, call, left).map(toComposed);
}

/** Returns the URLs that may be based on content that was read. */
function unlessRead(plan: KnownPlan, call: TracedCall, urls: readonly UrlArgument[]): UrlArgument[] {
  const trace = call.trace();
  if (!hasContent(trace)) return [];
  const known = new Set([...writtenUrls(plan), ...reachedUrls(call.loop)]);
  const left = urls.filter((one) => !isIn(one, known));
  if (left.length === 0 || hasPrivateContent(trace)) return left;
  const onWeb = new Set<string>();
  for (const text of outputTexts(plan, trace.steps, call.loop)) urlsIn(text, onWeb);
  return left.filter((one) => !isIn(one, onWeb));
}

function isIn({ url }: UrlArgument, keys: ReadonlySet<string>): boolean {
  return url !== undefined && keys.has(urlKey(url));
}

const SHOWN_CHARS_MAX = 2_000;

function toComposed({ field: argument, url }: UrlArgument): ComposedUrl {
  if (url === undefined) return { argument };
  const { host, pathname, search } = url;
  const path = pathname === "/" ? {} : { path: readable(pathname) };
  return { argument, host, ...path, ...(search === "" ? {} : { query: readable(search.slice(1)) }) };
}

/** Decodes text for display; invalid UTF-8 stays encoded. */
function readable(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " ")).slice(0, SHOWN_CHARS_MAX);
  } catch {
    return text.slice(0, SHOWN_CHARS_MAX);
  }
}

/** Whether a host is in the list, or below an entry that begins with `*.`. */
function isHostAmong(host: string, hosts: readonly string[]): boolean {
  return hosts.some((pattern) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1).toLowerCase()) : host === pattern.toLowerCase(),
  );
}

/**
 * Returns the content that the web returned to steps, to the loops among them, and to earlier turns of the call's own loop. For
 * outputs stored as files, only the beginning is known.
 */
function outputTexts(plan: KnownPlan, steps: ReadonlySet<StepId>, loop: TracedCall["loop"]): Json[] {
  const own = (loop?.run.turns ?? []).filter(({ turn }) => turn < (loop?.turn ?? 0));
  const texts = turnTexts(own);
  for (const stepId of steps) {
    const entry = plan.steps.get(stepId);
    if (entry === undefined) continue;
    texts.push(...turnTexts(entry.turns ?? []));
    const output = readsWeb(entry.step.tool) ? deliveredBy(plan, stepId) : undefined;
    if (output?.kind === "value" || output?.kind === "list") texts.push(output.value);
    else if (output?.kind === "artifact" && output.shown !== undefined) texts.push(output.shown);
  }
  return texts;
}

function turnTexts(turns: NonNullable<StepEntry["turns"]>): Json[] {
  return turns.flatMap(({ tool, output }) =>
    output === undefined || tool === undefined || !readsWeb(tool) ? [] : [textOf(output)],
  );
}

function textOf(output: StepOutput): Json {
  return "value" in output ? output.value : output.preview;
}

/** A text that begins with a protocol and a whole host. */
const ORIGIN = /^\s*https?:\/\/[^/?#\s{}]+[/?#]/i;

/**
 * Whether an author who had read nothing wrote the URL, or a reference to content from the web, or the URL's beginning: in that
 * case the user named the host, or is the author.
 *
 * @param options.named - Returns the hosts that the user named.
 */
function authoredUrl(
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

/** The planned value at a path in the arguments: a part of the value, or the reference that contains it. */
function writtenAt(args: Json, path: UrlArgument["path"]): Json | undefined {
  let value: Json | undefined = args;
  for (const key of path) {
    if (value === undefined || (isJsonObject(value) && isReferenceObject(value))) break;
    if (Array.isArray(value)) value = typeof key === "number" ? value[key] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }
  return value;
}

/** Whether the URL starts with the host, and with everything else before the first reference, exactly as written. */
function beginsAsWritten(template: string, url: URL): boolean {
  const start = template.slice(0, template.indexOf("{{"));
  if (!ORIGIN.test(start)) return false;
  const written = URL.parse(start);
  return written !== null && written.origin === url.origin && url.href.startsWith(written.href);
}

/** Whether a reference leads to the output of a tool that reads the public web, and to no other. */
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

/** Returns the keys of the URLs that the user wrote: in the goal, in constraints and in answers to questions. */
function userUrls(plan: KnownPlan): Set<string> {
  const { goal, constraints, derivedFrom } = plan.goal;
  const keys = derivedFrom !== undefined && hasContent(derivedFrom) ? new Set<string>() : urlsIn(goal);
  urlsIn(constraints, keys);
  for (const { step } of plan.steps.values()) {
    if (step.tool !== HUMAN_ASK) continue;
    const answer = deliveredBy(plan, step.id);
    if (answer?.kind === "value") urlsIn(answer.value, keys);
  }
  return keys;
}

/** Returns the keys of the URLs in steps whose author had read nothing: submitted ones, and a first draft's. */
function writtenUrls(plan: KnownPlan): Set<string> {
  const keys = new Set<string>();
  const entries = [...plan.steps.values()].toSorted((left, right) => left.plannedSeq - right.plannedSeq);
  const results = entries.flatMap(({ resultSeq }) => resultSeq ?? []).toSorted((left, right) => left - right);
  const clean = new Map<string, boolean>();
  let there = 0;
  for (const entry of entries) {
    while ((results[there] ?? Number.POSITIVE_INFINITY) < entry.plannedSeq) there++;
    // Steps of one draft have the same author, who had read the same content unless a result arrived in between.
    const author = `${entry.draft} ${there}`;
    const isClean = clean.get(author) ?? hasReadNothing(plan, entry);
    clean.set(author, isClean);
    if (isClean) urlsIn(entry.step.args, keys);
  }
  return keys;
}

/** Whether the author of a step had read nothing when they wrote it. */
function hasReadNothing(plan: KnownPlan, { draft, plannedSeq }: Omit<Written, "args">): boolean {
  return !hasContent(traceArguments(plan, { args: {}, draft, plannedSeq }));
}

/**
 * Returns the keys of the URLs that earlier turns of a loop requested: each was allowed or approved by a person, and a second
 * request reveals nothing more.
 */
function reachedUrls(loop: TracedCall["loop"]): Set<string> {
  const made = (loop?.run.turns ?? []).filter(
    ({ turn, output }) => output !== undefined && turn < (loop?.turn ?? 0),
  );
  const urls = made.flatMap(({ tool = "", args = {} }) => urlArguments(tool, args));
  return new Set(urls.flatMap(({ url }) => (url === undefined ? [] : [urlKey(url)])));
}

/** A call and the origin of its arguments. */
type TracedCall = {
  readonly tool: string;
  /** Undefined while unknown: the call has not been made yet. */
  readonly args: JsonObject | undefined;
  readonly trace: () => Trace;
  /** The arguments as planned; absent for calls of a loop. */
  readonly written?: Written | undefined;
  /** For a call in a loop: the loop, and the call's turn. */
  readonly loop?: { readonly run: Pick<StepEntry, "turns">; readonly turn: number } | undefined;
};

/** Matches a URL, or a host with a path, up to a character that cannot belong to it. */
const TOKEN = /(?:https?:\/\/|\b(?=[a-z\d-]{1,63}\.))[^\s<>"'`\\^|]{1,4000}/gi;
const HOST = /^(?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,63}(?:[:/?#]|$)/i;
/** Characters that end a sentence, or a link in Markdown, rather than the URL. */
const END = /[).,;:!?\]}*_]$/;
const ENDS_MAX = 6;

/** The part that two spellings of one address share: neither the protocol nor the fragment determines the page. */
function urlKey({ host, pathname, search }: URL): string {
  return `${host}${pathname.replace(/\/$/, "")}${search}`;
}

/** The keys of all URLs in a value, however deep; URLs that contain a reference are left out. */
function urlsIn(value: Json, keys: Set<string> = new Set()): Set<string> {
  if (typeof value === "string") for (const [token] of value.matchAll(TOKEN)) addToken(token, keys);
  else if (typeof value === "object" && value !== null) {
    for (const entry of Object.values(value)) urlsIn(entry, keys);
  }
  return keys;
}

/** The host of each key. */
function hostsOf(keys: ReadonlySet<string>): Set<string> {
  return new Set(Array.from(keys, (key) => /^[^/?]*/.exec(key)?.[0] ?? ""));
}

function addToken(token: string, keys: Set<string>): void {
  if (token.includes("{{") || token.includes("${")) return;
  addUrl(token, keys);
  // [text](https://a.example/x) and the like: the URL may end before any of these.
  const [inside = token] = token.split(/[)\]]/, 1);
  let rest = inside;
  addUrl(rest, keys);
  for (let ends = 0, text = token; ends < ENDS_MAX && END.test(text); ends += 1) {
    text = text.slice(0, -1);
    addUrl(text, keys);
  }
  for (let ends = 0; ends < ENDS_MAX && END.test(rest); ends += 1) {
    rest = rest.slice(0, -1);
    addUrl(rest, keys);
  }
}

function addUrl(text: string, keys: Set<string>): void {
  const isFull = /^https?:\/\//i.test(text);
  if (!isFull && !HOST.test(text)) return;
  const url = URL.parse(isFull ? text : `https://${text}`);
  if (url !== null && url.username === "" && url.password === "") keys.add(urlKey(url));
}
