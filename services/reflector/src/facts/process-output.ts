/**
 * The processor: turns one output into a state patch. It sees the raw output, and decides nothing; the models that decide
 * sees the patch, and not the output.
 */
import {
  type FactsWork,
  type Json,
  type KnownPlan,
  NO_USAGE,
  runOf,
  type StatePatch,
  type StepEntry,
  type Usage,
  wantsFactsOf,
  wholeOf,
} from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { readPlan, type StopHints } from "@planwright/shared/bus";
import { describeError, PermanentError } from "@planwright/shared/errors";
import {
  type ModelClient,
  ModelPatience,
  type ModelReply,
  roomAfter,
  SpendingMeter,
  truncationOf,
} from "@planwright/shared/model";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan, type TraceParent, withSpan } from "@planwright/shared/telemetry";
import { readArtifactJson } from "../judge/load-artifacts.ts";
import type { ReflectorDeps } from "../start-reflector.ts";
import { factsPrompt } from "./facts-prompt.ts";
import { recordFacts } from "./record-facts.ts";
import { readStatePatch, statePatchSchema } from "./state-patch.ts";

type FactsDeps = ReflectorDeps & { readonly stops: StopHints };

const FAULT_CHARS_MAX = 2_000;
const NOTHING: StatePatch = { facts: [], openQuestions: [], answeredQuestions: [] };

/**
 * Looks at one output, if the plan still wants that, and records what it says. A model that cannot, or a reply that
 * cannot be used, is recorded as such: facts are a help, and no plan fails for want of them.
 *
 * @throws {TransientError} When the model cannot be reached now, and nothing limits what the plan may use.
 * @throws The signal's reason when the worker stops.
 */
export async function processOutput(deps: FactsDeps, work: FactsWork, context: WorkContext): Promise<void> {
  const span = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: "work.facts",
    subject: context.subject,
    consumer: "processor",
    deliveries: context.deliveries,
    attributes: { "plan.id": work.planId, "step.id": work.stepId, "worker.id": deps.workerId },
  });
  await withSpan(span, async () => {
    const plan = await readPlan(deps.bus, work.planId);
    const entry = plan === undefined ? undefined : runOf(plan, work);
    if (plan === undefined || entry === undefined || !wantsFactsOf(plan, work)) return;
    if (work.allowance !== undefined && context.deliveries > 1) {
      await giveUpFacts(deps, work, "the reflector stopped before the facts were extracted");
      return;
    }
    const { signal, deliveries } = context;
    await look(deps, work, { plan, entry, trace: span.ids, signal, deliveries });
  });
}

/** Reports to the plan that no facts will be extracted from the output. */
export async function giveUpFacts(
  deps: Pick<ReflectorDeps, "publish" | "now">,
  work: Pick<FactsWork, "planId" | "stepId" | "item" | "attempt" | "allowance">,
  cause: string,
): Promise<void> {
  const forfeited = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  const fault = cause.slice(0, FAULT_CHARS_MAX);
  await recordFacts(deps, work, { ...NOTHING, usage: NO_USAGE, ...forfeited, fault });
}

type Looking = {
  readonly plan: KnownPlan;
  readonly entry: StepEntry;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
  readonly deliveries: number;
};

async function look(deps: FactsDeps, work: FactsWork, looking: Looking): Promise<void> {
  const { planId } = work;
  const unwanted = new AbortController();
  const check = async (): Promise<void> => {
    const plan = await readPlan(deps.bus, planId);
    if (plan === undefined || !wantsFactsOf(plan, work)) {
      unwanted.abort(new DOMException("the facts are no longer needed", "AbortError"));
    }
  };
  const unwatch = deps.stops.watch(planId, () => {
    check().catch((err: unknown) => deps.log.warn({ planId, err }, "could not read plan after a hint"));
  });
  const meter = new SpendingMeter(deps.model, {
    allowance: work.allowance,
    patience: new ModelPatience({ deliveries: looking.deliveries }),
  });
  try {
    const signal = AbortSignal.any([looking.signal, unwanted.signal]);
    const found = await askFor(deps, meter.model, { ...looking, signal });
    meter.close();
    await recordFacts({ ...deps, trace: looking.trace }, work, { ...found, ...usedOf(meter) });
  } catch (error) {
    looking.signal.throwIfAborted();
    if (unwanted.signal.aborted) return;
    if (!(error instanceof PermanentError) && work.allowance === undefined) throw error;
    meter.close();
    const fault = describeError(error).slice(0, FAULT_CHARS_MAX);
    await recordFacts(deps, work, { ...NOTHING, ...usedOf(meter), fault });
  } finally {
    unwatch();
  }
}

function usedOf(meter: SpendingMeter): { usage: Usage } {
  return meter.report();
}

async function askFor(
  { artifacts }: Pick<FactsDeps, "artifacts">,
  model: ModelClient,
  { plan, entry, trace, signal }: Looking,
): Promise<StatePatch & { readonly fault?: string }> {
  const output = await wholeOutput(artifacts, plan, entry);
  const ask = (after?: ModelReply): Promise<ModelReply> =>
    model.complete({
      ...factsPrompt.render({ plan, entry, output }),
      ...roomAfter(after),
      outputSchema: { name: "state_patch", schema: statePatchSchema() },
      trace,
      signal,
    });
  const first = await ask();
  const reply = truncationOf(first) === undefined ? first : await ask(first);
  if (
    reply.finishReason !== "stop" &&
    (reply.finishReason !== "length" || truncationOf(reply) !== undefined)
  ) {
    return { ...NOTHING, fault: `the model's reply ended with ${reply.finishReason}` };
  }
  const read = readStatePatch(reply.text);
  return "patch" in read ? read.patch : { ...NOTHING, fault: read.fault };
}

async function wholeOutput(
  artifacts: Pick<ArtifactStore, "get">,
  { planId }: KnownPlan,
  { state }: StepEntry,
): Promise<Json> {
  if (state.status !== "succeeded") return null;
  const { output } = state;
  if ("value" in output) return output.value;
  return (await readArtifactJson(artifacts, planId, output.artifact)) ?? output.preview;
}
