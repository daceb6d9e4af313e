/** URLs that an injected text cannot have put into a plan. */
import type { TracedCall } from "./traced-call.ts";
import { HUMAN_ASK } from "../language/tool-names.ts";
import { traceArguments, type Written } from "../policy/provenance.ts";
import { deliveredBy } from "../machine/links/standing.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { hasContent } from "./content-tools.ts";
import { urlArguments } from "./url-arguments.ts";
import { urlKey, urlsIn } from "./urls-in.ts";

/** Returns the keys of the URLs that the user wrote: in the goal, in constraints and in answers to questions. */
export function userUrls(plan: KnownPlan): Set<string> {
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
export function writtenUrls(plan: KnownPlan): Set<string> {
  const keys = new Set<string>();
  const entries = [...plan.steps.values()].toSorted((left, right) => left.plannedSeq - right.plannedSeq);
  const results = entries.flatMap(({ resultSeq }) => resultSeq ?? []).toSorted((left, right) => left - right);
  const clean = new Map<string, boolean>();
  let there = 0;
  for (const entry of entries) {
    while ((results[there] ?? Number.POSITIVE_INFINITY) < entry.plannedSeq) there++;
    // Steps of one draft have the same author, who had read the same unless a result came in between.
    const author = `${entry.draft} ${there}`;
    const isClean = clean.get(author) ?? hasReadNothing(plan, entry);
    clean.set(author, isClean);
    if (isClean) urlsIn(entry.step.args, keys);
  }
  return keys;
}

/** Whether the author of a step had read nothing when they wrote it. */
export function hasReadNothing(plan: KnownPlan, { draft, plannedSeq }: Omit<Written, "args">): boolean {
  return !hasContent(traceArguments(plan, { args: {}, draft, plannedSeq }));
}

/**
 * Returns the keys of the URLs that earlier turns of a loop have reached: each was free then, or a person approved it, and
 * tells no more the second time.
 */
export function reachedUrls(loop: TracedCall["loop"]): Set<string> {
  const made = (loop?.run.turns ?? []).filter(
    ({ turn, output }) => output !== undefined && turn < (loop?.turn ?? 0),
  );
  const urls = made.flatMap(({ tool = "", args = {} }) => urlArguments(tool, args));
  return new Set(urls.flatMap(({ url }) => (url === undefined ? [] : [urlKey(url)])));
}
