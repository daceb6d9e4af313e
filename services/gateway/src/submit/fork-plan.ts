/** Forks plans, whether open, ended or archived. */
import type { ProblemCode } from "@planwright/api";
import {
  cappedBudget,
  type CarriedStep,
  checkPlan,
  EGRESS_DEFAULT,
  type Fork,
  forkPlan,
  type ForkRefusal,
  goalOf,
  GoalSubmitted,
  grantsOf,
  type JsonObject,
  type KnownPlan,
  type PlanDocument,
  type PlanId,
  provenanceOfFork,
  type StepId,
  type StoredBudget,
  Submission,
  submissionOf,
  type ArtifactRef,
  type Json,
  type StepOutput,
} from "@planwright/plan";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";
import type { Span } from "@planwright/shared/telemetry";
import type { PlanBook } from "../book/plan-book.ts";
import type { Caller } from "../http/authenticate.ts";
import { parsePart } from "../http/parse-part.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { type CheckedSubmission, refuseDenied } from "./check-submission.ts";
import { invalidPlan } from "./invalid-plan.ts";
import { identify, type SubmitDeps } from "./submit-plan.ts";
import { priceBudget } from "./price-budget.ts";
import {
  type Accepted,
  HEADROOM_BYTES,
  readSubmitted,
  sameAsBefore,
  storeGoal,
  traceOf,
} from "./store-goal.ts";

export type ForkDeps = Omit<SubmitDeps, "book"> & {
  readonly book: Pick<PlanBook, "find" | "expect" | "page">;
  readonly artifacts: ArtifactStore;
};

export type ForkPlan = (
  request: Caller & {
    readonly planId: string;
    readonly body: { readonly fromStep: StepId; readonly edits?: JsonObject | undefined };
    readonly idempotencyKey: string | undefined;
    readonly span: Span;
  },
) => Promise<Accepted>;

const REFUSALS: Readonly<Record<ForkRefusal, { code: ProblemCode; message: string }>> = {
  no_such_step: { code: "step_not_found", message: "the plan has no such step" },
  not_settled: {
    code: "step_not_settled",
    message: "the step is still running or waiting: fork the plan when the step has ended",
  },
  lost_its_way: {
    code: "fork_refused",
    message: "the step depends on a step that a revision has removed",
  },
};

/**
 * Makes the function that forks plans. It resolves once the log has stored the new plan, which names its origin.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `step_not_found`, `step_not_settled`, `fork_refused`,
 * `invalid_plan`, and every refusal of storing a submission.
 */
export function createForkPlan(deps: ForkDeps): ForkPlan {
  return async ({ tenant, identity, planId: id, body, idempotencyKey, span }) => {
    const origin = await ownPlan(deps.book, { tenant, planId: id });
    const content = { fork: origin.planId, ...body };
    const { planId, hash } = identify({ tenant, idempotencyKey }, content, deps.random);
    span.setAttributes({ "plan.id": planId, "plan.fork.of": origin.planId });
    const stored = idempotencyKey === undefined ? undefined : await readSubmitted(deps.bus, planId);
    if (stored !== undefined) return sameAsBefore(planId, stored, hash);

    const fork = forkPlan(origin, body);
    if ("refusal" in fork) {
      const { code, message } = REFUSALS[fork.refusal];
      throw new Problem(code, message);
    }
    const offer = deps.offer(tenant);
    const rest = checkedRest(fork, origin, offer);
    refuseDenied(rest, offer.policy);
    const carried = await carryFiles(deps, { fork, from: origin.planId, to: planId });
    const { policy } = offer;
    const goal = goalOf(submissionFor(origin), {
      tenant,
      submittedBy: identity,
      plan: rest,
      policy,
      bodyHash: hash,
      carried,
      budget: budgetOf(origin, rest, offer),
      grants: grantsOf(rest, offer.tools, offer.agents.types),
      egress: policy?.egress ?? EGRESS_DEFAULT,
      fusion: deps.fusion === "off" ? "off" : undefined,
      fork: { planId: origin.planId, fromStep: body.fromStep, seq: origin.seq },
      goalTemplate: origin.goal.goalTemplate,
      derivedFrom: provenanceOfFork(origin),
      trace: traceOf(span, deps.random),
    });
    // Its parts have been checked.
    const event = { ...GoalSubmitted.unstamped(planId, goal), at: deps.now().toISOString() };
    return storeGoal(event, { ...deps, span });
  };
}

/** The original submission without its plan and text, which the fork's own plan replaces. Its budget is already priced. */
function submissionFor({ goal }: KnownPlan): CheckedSubmission["submission"] {
  const { plan: _plan, budget: _budget, input: _input, ...asked } = submissionOf(goal);
  const { plan: _none, budget: _unpriced, ...submission } = parsePart(Submission, asked, "body");
  return submission;
}

/** The budget of the forked plan, already priced, within the limits of the current policy. */
function budgetOf(
  { goal }: KnownPlan,
  plan: PlanDocument,
  offer: ReturnType<SubmitDeps["offer"]>,
): StoredBudget | undefined {
  const capped = cappedBudget(goal.budget, offer.policy?.maxBudget);
  if (capped === undefined || capped.usd === undefined || goal.budget?.usd !== undefined) return capped;
  return priceBudget(capped, { plan, ...offer });
}

/** The rest of the plan, checked against the current tools. */
function checkedRest(
  { rest, carried }: Fork,
  { goal }: KnownPlan,
  { tools, agents }: ReturnType<SubmitDeps["offer"]>,
): PlanDocument {
  if (tools.size === 0) {
    throw new Problem("not_ready", "No tool has been announced yet: is an executor running?", {
      retryAfterS: 1,
    });
  }
  const ids = new Set<string>(carried.map(({ step }) => step.id));
  const checked = checkPlan(rest, {
    tools,
    agents,
    allowed: goal.tools,
    beside: { usable: ids, taken: ids },
  });
  if (checked.plan === undefined) throw invalidPlan(checked.issues);
  return checked.plan;
}

/** The carried steps, with copies of their files in the new plan. */
async function carryFiles(
  { book, bus, artifacts }: ForkDeps,
  { fork, from, to }: { readonly fork: Fork; readonly from: PlanId; readonly to: PlanId },
): Promise<CarriedStep[]> {
  const files = await filesOfSteps(book, from, new Set(fork.carried.map(({ step }) => step.id)));
  const carried = fork.carried.map((step) => ({ ...step, artifacts: [...(files.get(step.step.id) ?? [])] }));
  await copyFiles(artifacts, carried, { from, to });
  return keepSmall(artifacts, carried, {
    planId: to,
    bytesMax: Math.floor((bus.payloadBytesMax - HEADROOM_BYTES) / 2),
  });
}

/** The size of a file's preview; smaller outputs stay inline. */
const PREVIEW_CHARS_MAX = 1_000;

const PAGE = 1_000;

/** The total size of the files that one fork copies. */
export const FORKED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Copies the steps' files from one plan to another, so that deleting the original does not lose them. A repeat writes the same
 * files again.
 *
 * @throws {Problem} `fork_refused` when a file is missing, or their total size is too large.
 */
export async function copyFiles(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { from, to }: { readonly from: PlanId; readonly to: PlanId },
): Promise<void> {
  const files = new Map<string, number>();
  for (const { output, files: results = [], artifacts: written } of carried) {
    const own = "artifact" in output ? [output.artifact] : results.map(({ artifact }) => artifact);
    for (const { name, bytes } of [...own, ...written]) files.set(name, bytes);
  }
  const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
  if (bytes > FORKED_BYTES_MAX) {
    throw new Problem("fork_refused", `the files have ${bytes} bytes; a fork copies max ${FORKED_BYTES_MAX}`);
  }
  for (const name of files.keys()) {
    const file = await artifacts.get(from, name);
    if (file === undefined) throw new Problem("fork_refused", `the file ${name} of the plan is gone`);
    await artifacts.put(to, name, file.content, file.contentType);
  }
}

/** The files written by each of the steps, from the plan's log. */
export async function filesOfSteps(
  book: Pick<PlanBook, "page">,
  planId: PlanId,
  stepIds: ReadonlySet<StepId>,
): Promise<ReadonlyMap<StepId, readonly ArtifactRef[]>> {
  const files = new Map<StepId, ArtifactRef[]>();
  for (let after = 0; ; ) {
    const { facts, more } = await book.page({ planId, after, limit: PAGE });
    for (const { event } of facts) {
      if (event.type === "goal.submitted") {
        for (const { step, artifacts } of event.data.carried ?? []) add(step.id, artifacts);
      } else if (event.type === "step.succeeded" && event.data.undo === undefined) {
        add(event.data.stepId, event.data.artifacts);
      }
    }
    const last = facts.at(-1);
    if (!more || last === undefined) return files;
    after = last.seq;
  }

  function add(stepId: StepId, artifacts: readonly ArtifactRef[]): void {
    if (stepIds.has(stepId) && artifacts.length > 0)
      files.set(stepId, [...(files.get(stepId) ?? []), ...artifacts]);
  }
}

/**
 * An output that can become a separate file: a step's output, or one of a list of results, some of which may already be files.
 */
type Part = { readonly index: number; readonly item?: number; readonly value: Json; readonly text: string };

/** The carried steps are stored in a single event of the new plan: the largest outputs become files until it fits. */
export async function keepSmall(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { planId, bytesMax }: { readonly planId: PlanId; readonly bytesMax: number },
): Promise<CarriedStep[]> {
  const kept = [...carried];
  const parts = kept.flatMap(partsOf).map((part) => ({ ...part, bytes: Buffer.byteLength(part.text) }));
  let bytes = Buffer.byteLength(JSON.stringify(kept));
  for (const { bytes: own, ...part } of parts.toSorted((left, right) => right.bytes - left.bytes)) {
    const { index, item, text, value } = part;
    const step = kept[index];
    if (bytes <= bytesMax || own <= PREVIEW_CHARS_MAX || step === undefined) break;
    const of = item === undefined ? "" : `-${item}`;
    const name = `outputs/${step.step.id}-carried${of}.json`;
    const output = await spill(artifacts, value, { planId, name, bytesMax: 0, json: text });
    kept[index] = item === undefined ? { ...step, output } : withFile(step, item, output);
    bytes -= own - PREVIEW_CHARS_MAX;
  }
  return kept;
}

function partsOf({ output, files }: CarriedStep, index: number): Part[] {
  if (!("value" in output)) return [];
  const { value } = output;
  if (files === undefined || !Array.isArray(value)) return [{ index, value, text: JSON.stringify(value) }];
  const isFile = new Set(files.map(({ item }) => item));
  return value.flatMap((one, item) =>
    isFile.has(item) ? [] : [{ index, item, value: one, text: JSON.stringify(one) }],
  );
}

/** The step with one more of its results as a file, whose metadata is added to the list. */
function withFile(step: CarriedStep, item: number, spilled: StepOutput): CarriedStep {
  const { output, files = [] } = step;
  if (!("artifact" in spilled) || !("value" in output) || !Array.isArray(output.value)) return step;
  const { artifact, preview, lists } = spilled;
  const { name, contentType, bytes } = artifact;
  const value = output.value.with(item, { artifact: name, contentType, bytes, preview });
  const file = { item, artifact, ...(lists === undefined ? {} : { lists }) };
  return { ...step, output: { value }, files: [...files, file] };
}
