/** Turns a submission into an event for the log, or lists all of its faults. */
import { type FieldIssue, SubmissionBody } from "@planwright/api";
import {
  type Agents,
  cappedBudget,
  checkPlan,
  deniedTools,
  directPlan,
  type GatePolicy,
  grantsOf,
  type Issue,
  type Json,
  JsonValue,
  LIMITS,
  planReviewOf,
  type PlanDocument,
  programSource,
  type StoredBudget,
  type Submission,
  sequence,
  summarizePlan,
  type ToolGrant,
  type ToolSpec,
} from "@planwright/plan";
import type { TenantSources } from "@planwright/shared/tools";
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import { Problem } from "../http/problem.ts";
import { invalidPlan } from "./invalid-plan.ts";
import { type ModelOffer, priceBudget } from "./price-budget.ts";
import { refuseCodeWithoutModel } from "./refuse-code.ts";
import { unsafeValues } from "./unsafe-values.ts";

/** The tools, agents and sources currently available. */
export type Offer = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly agents: Agents;
  /** The sources of the submitting tenant. */
  readonly sources: TenantSources;
  readonly models: ModelOffer;
  /** The installation's policy for the tenant; absent when there is none. */
  readonly policy?: GatePolicy | undefined;
};

export type CheckedSubmission = {
  readonly submission: Omit<Submission, "plan" | "budget">;
  readonly budget: StoredBudget | undefined;
  /** Absent when a planner has to draft one. */
  readonly plan: PlanDocument | undefined;
  /** Corrected fields, such as `depends_on`, as text. */
  readonly mends: readonly string[];
  /** Grants of the tools that the plan uses. */
  readonly grants: Record<string, ToolGrant>;
  /** The installation's policy, which applies to the plan from then on. */
  readonly policy: GatePolicy | undefined;
};

/** The maximum number of existing names listed in a refusal. */
const NAMES_SHOWN_MAX = 50;
/** The size of the metadata as JSON. */
const METADATA_BYTES_MAX = 64 * 1024;

const WithMetadata = z.object({ metadata: JsonValue.default({}) });

/** A submission as sent, and as parsed by its schema. */
export type SentSubmission = {
  /** Decoded JSON. */
  readonly sentBody: unknown;
  /** @throws {Problem} `invalid_request` with an issue for every invalid field. */
  readonly read: () => SubmissionBody;
};

/**
 * A submission that did not come through a route.
 *
 * @param sentBody - Decoded JSON.
 */
export function sentSubmission(sentBody: unknown): SentSubmission {
  return { sentBody, read: () => parsePart(SubmissionBody, sentBody, "body") };
}

/**
 * Checks a submission against the existing tools and data sources.
 *
 * @throws {Problem} `invalid_request`, `denied_by_policy`, `unknown_tool`, `unknown_source`, `data_required`, `invalid_plan`, `price_unknown`,
 *   `model_needed`, or `not_ready` while no tool has been announced.
 */
export function checkSubmission(
  { sentBody, read }: SentSubmission,
  offer: Offer,
  now: Date,
): CheckedSubmission {
  const { plan: given, budget: wanted, ...submission } = read();
  refuseFarStart(submission, now);
  // Checks the value as sent: parsing rebuilds a record without the keys that an object cannot hold.
  refuseUnsafe(submission, WithMetadata.parse(sentBody));
  refuseStrayInput(submission, given !== undefined);
  refuseStrayReview(submission, given !== undefined);
  refuseCodeWithoutModel(submission, { plannerModel: offer.models.planner, hasPlan: given !== undefined });
  const plan = given ?? planWithoutPlanner(submission);
  if (plan !== undefined || submission.tools !== undefined) refuseBeforeTools(offer);
  refuseUnknown(submission, offer);
  if (given === undefined) refuseProgramWithoutData(submission, offer);
  const { plan: checked, mends } =
    plan === undefined ? { plan: undefined, mends: [] } : checkedPlan(plan, submission, offer);
  if (checked !== undefined) refuseDenied(checked, offer.policy);
  const capped = cappedBudget(wanted, offer.policy?.maxBudget);
  const budget = capped === undefined ? undefined : priceBudget(capped, { plan: checked, ...offer });
  return {
    submission: submission.input === undefined ? submission : { ...submission, strategy: "summarize" },
    plan: checked,
    mends,
    budget,
    grants: checked === undefined ? {} : grantsOf(checked, offer.tools, offer.agents.types),
    policy: offer.policy,
  };
}

/** @throws {Problem} `denied_by_policy` when a plan names tools that the installation's policy forbids. */
export function refuseDenied(plan: PlanDocument, policy: GatePolicy | undefined): void {
  const denied = deniedTools(policy, plan);
  if (denied.length === 0) return;
  throw new Problem(
    "denied_by_policy",
    `the installation's policy forbids ${denied.slice(0, NAMES_SHOWN_MAX).join(", ")}: plan without it, or ask the operator`,
  );
}

/** A program is written for the tables of one source, which the submission has to name. */
function refuseProgramWithoutData(
  { strategy, data = [] }: CheckedSubmission["submission"],
  { sources }: Offer,
): void {
  if (strategy !== "code") return;
  const named = data.flatMap((name) => sources.get(name) ?? []);
  if (programSource(named) !== undefined) return;
  const names = namesOf(sources);
  const known = names.length === 0 ? "there is none yet" : `there are: ${names.join(", ")}`;
  const got = data.length === 0 ? "none" : data.join(", ");
  const message = `the strategy code writes a program for one data source: wanted its name, such as ["store"], got ${got}; ${known}`;
  const issue = { field: "data", message };
  throw new Problem("data_required", messageOf([issue]), { issues: [issue] });
}

/** The plan of those strategies that need no planner. */
function planWithoutPlanner({
  strategy,
  goal,
  constraints,
  input,
}: CheckedSubmission["submission"]): unknown {
  if (input !== undefined) return summarizePlan({ goal, constraints, input });
  return strategy === "direct" ? directPlan({ goal, constraints }) : undefined;
}

/** Refuses a text that nothing would read, and a missing text that is needed. */
function refuseStrayInput({ strategy, input }: CheckedSubmission["submission"], hasPlan: boolean): void {
  const wanted = strategy === "summarize" && !hasPlan;
  if (wanted && input === undefined) throw strayInput("wanted the text to summarize, got none");
  if (input === undefined || wanted || (strategy === "auto" && !hasPlan)) return;
  const reader = hasPlan ? "a submitted plan" : `the strategy ${strategy}`;
  throw strayInput(`${reader} does not read it: wanted the strategy summarize, or none`);
}

/** Refuses a review of the draft where nothing is drafted, so that nothing could be improved. */
function refuseStrayReview(submission: CheckedSubmission["submission"], hasPlan: boolean): void {
  const { strategy, input, review } = submission;
  if (planReviewOf({ review }) === undefined) return;
  const undrafted = input !== undefined || !DRAFTING.has(strategy);
  if (!hasPlan && !undrafted) return;
  const what = hasPlan ? "a submitted plan" : `the strategy ${input === undefined ? strategy : "summarize"}`;
  const message = `${what} has no draft to review and improve: wanted none`;
  throw new Problem("invalid_request", messageOf([{ field: "review.plan", message }]), {
    issues: [{ field: "review.plan", message }],
  });
}

/** The strategies whose whole plan is drafted by a model. */
const DRAFTING: ReadonlySet<string> = new Set(["auto", "sequential", "parallel", "hierarchical", "waves"]);

function strayInput(message: string): Problem {
  const issue = { field: "input", message };
  return new Problem("invalid_request", messageOf([issue]), { issues: [issue] });
}

/**
 * Every fault of a plan.
 *
 * @throws {Problem} `not_ready` while no tool has been announced.
 */
export function issuesOfPlan(plan: Json, offer: Pick<Offer, "tools" | "agents">): readonly Issue[] {
  refuseBeforeTools(offer);
  return checkPlan(plan, { tools: offer.tools, agents: offer.agents }).issues;
}

function checkedPlan(
  plan: unknown,
  { tools: allowed, strategy }: CheckedSubmission["submission"],
  { tools, agents }: Offer,
): { readonly plan: PlanDocument; readonly mends: readonly string[] } {
  const first = checkPlan(plan, { tools, allowed, agents });
  if (first.plan === undefined) throw invalidPlan(first.issues);
  if (strategy !== "sequential") return first;
  // In a sequential plan, a step that precedes one it refers to would wait for itself.
  const inOrder = checkPlan({ ...first.plan, steps: sequence(first.plan.steps) }, { tools, allowed, agents });
  if (inOrder.plan === undefined) throw invalidPlan(inOrder.issues);
  return { plan: inOrder.plan, mends: first.mends };
}

function refuseFarStart({ startAt }: CheckedSubmission["submission"], now: Date): void {
  if (startAt === undefined || Date.parse(startAt) - now.getTime() <= LIMITS.startAheadMsMax) return;
  const days = LIMITS.startAheadMsMax / 86_400_000;
  const issue = { field: "startAt", message: `wanted a time at most ${days} days ahead, got ${startAt}` };
  throw new Problem("invalid_request", messageOf([issue]), { issues: [issue] });
}

function refuseBeforeTools({ tools }: Pick<Offer, "tools">): void {
  if (tools.size > 0) return;
  throw new Problem("not_ready", "No tool has been announced yet: is an executor running?", {
    retryAfterS: 1,
  });
}

function refuseUnknown({ tools, data }: CheckedSubmission["submission"], offer: Offer): void {
  const noTools = unknownNames("tools", tools, {
    isKnown: (name) => offer.tools.has(name),
    known: () => [...offer.tools.keys()].slice(0, NAMES_SHOWN_MAX),
  });
  if (noTools.length > 0) throw new Problem("unknown_tool", messageOf(noTools), { issues: noTools });
  const noSources = unknownNames("data", data, {
    isKnown: (name) => offer.sources.get(name) !== undefined,
    known: () => namesOf(offer.sources),
  });
  if (noSources.length > 0) throw new Problem("unknown_source", messageOf(noSources), { issues: noSources });
}

function unknownNames(
  field: string,
  names: readonly string[] | undefined,
  {
    isKnown,
    known,
  }: { readonly isKnown: (name: string) => boolean; readonly known: () => readonly string[] },
): FieldIssue[] {
  return (names ?? []).flatMap((name, index) =>
    isKnown(name)
      ? []
      : [
          {
            field: `${field}[${index}]`,
            message: `unknown name ${JSON.stringify(name)}; available: ${known().join(", ") || "none"}`,
          },
        ],
  );
}

function namesOf(sources: TenantSources): string[] {
  return sources
    .list()
    .slice(0, NAMES_SHOWN_MAX)
    .map(({ name }) => name);
}

function refuseUnsafe(
  { goal, constraints }: CheckedSubmission["submission"],
  { metadata }: z.output<typeof WithMetadata>,
): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  const issues =
    bytes > METADATA_BYTES_MAX
      ? [{ field: "metadata", message: `wanted at most ${METADATA_BYTES_MAX} bytes as JSON, got ${bytes}` }]
      : unsafeValues({ goal, constraints, metadata });
  if (issues.length > 0) throw new Problem("invalid_request", messageOf(issues), { issues });
}

function messageOf(issues: readonly FieldIssue[]): string {
  return issues.map(({ field, message }) => `${field}: ${message}`).join("; ");
}
