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
import type { TracedCall } from "./traced-call.ts";
import type { ComposedUrl } from "./egress-rule.ts";
import { hasContent, hasPrivateContent, readsWeb } from "./content-tools.ts";
import { hasReadNothing, reachedUrls, userUrls, writtenUrls } from "./trusted-urls.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { type UrlArgument, urlArguments } from "./url-arguments.ts";
import { hostsOf, urlKey, urlsIn } from "./urls-in.ts";
import { authoredUrl } from "./authored-url.ts";
import type { StepOutput } from "../events/values.ts";
import type { StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import { deliveredBy } from "../machine/links/standing.ts";

/** Returns the URLs among a call's arguments that a model composed; none where no rule of the plan asks for it. */
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

/** Those that have come to be after something was read. */
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

/** As people read it; whatever is no UTF-8 stays encoded. */
function readable(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " ")).slice(0, SHOWN_CHARS_MAX);
  } catch {
    return text.slice(0, SHOWN_CHARS_MAX);
  }
}

/** Whether a host is one of these, or below one that begins with `*.`. */
function isHostAmong(host: string, hosts: readonly string[]): boolean {
  return hosts.some((pattern) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1).toLowerCase()) : host === pattern.toLowerCase(),
  );
}

/**
 * Returns what the web returned to steps, to the loops among them, and to earlier turns of the call's own loop. Of what is
 * kept as a file only the beginning is known.
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
