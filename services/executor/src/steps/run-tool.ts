/** Runs a step's tool on its arguments and turns whatever comes of it into an outcome. */
import {
  type Json,
  loadArtifactValues,
  NO_USAGE,
  type StepWork,
  UnresolvedReferenceError,
} from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { type TraceParent, withSpan } from "@planwright/shared/telemetry";
import type { ToolContext } from "../tools/define-tool.ts";
import { keepOutput } from "./keep-output.ts";
import { meterModel } from "./meter-model.ts";
import { planWorkspace } from "./plan-workspace.ts";
import type { Outcome } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";

/** Never throws: a tool that fails is a fact about the plan. */
export async function runTool(
  deps: StepDeps,
  work: StepWork,
  { signal, deadline, trace }: { signal: AbortSignal; deadline: AbortSignal; trace: TraceParent },
): Promise<Outcome> {
  const span = deps.telemetry.spanFrom(trace, `execute_tool ${work.tool}`, {
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": work.tool,
      "gen_ai.tool.call.id": `${work.planId}/${work.stepId}/${work.item}/${work.attempt}`,
      "plan.id": work.planId,
      "step.id": work.stepId,
      "step.attempt": work.attempt,
    },
  });
  const metered = meterModel(deps.model, span.ids);
  const workspace = planWorkspace(deps.artifacts, work.planId);
  const usage = () => (metered.usage().modelCalls === NO_USAGE.modelCalls ? {} : { usage: metered.usage() });
  try {
    return await withSpan(span, async () => {
      const tool = deps.toolbox.get(work.tool);
      if (tool === undefined) {
        throw new PermanentError(`no executor of pool ${work.pool} has a tool ${work.tool}`, {
          code: "unknown_tool",
        });
      }
      const args = await loadArtifactValues(work.args, (name) => loadJson(deps, work, name));
      const context: ToolContext = {
        planId: work.planId,
        stepId: work.stepId,
        item: work.item,
        attempt: work.attempt,
        effectKey: `${work.planId}/${work.stepId}/${work.item}`,
        signal,
        log: deps.log.child({ planId: work.planId, stepId: work.stepId }),
        model: metered.model,
        workspace,
        sources: deps.sources.catalog(work.sources),
        progress: (text) =>
          deps.bus.connection.publish(`live.${work.planId}.${work.stepId}`, text.slice(0, 4_000)),
        ...(work.model === undefined ? {} : { stepModel: work.model }),
      };
      const output = await abortable(tool.run(args, context), signal);
      const kept = await keepOutput(deps.artifacts, work, output);
      return { kind: "succeeded", output: kept, artifacts: workspace.written(), ...usage() };
    });
  } catch (error) {
    return { ...failureOf(error, deadline, work), ...usage() };
  }
}

function failureOf(
  error: unknown,
  deadline: AbortSignal,
  { timeoutMs }: StepWork,
): Outcome & { kind: "failed" } {
  if (deadline.aborted) {
    const message = `did not end within ${timeoutMs} ms`;
    return { kind: "failed", error: { code: "timeout", message }, retryable: true };
  }
  const message = describeError(error).slice(0, 4_000);
  if (error instanceof PermanentError) {
    return { kind: "failed", error: { code: error.code, message }, retryable: false };
  }
  if (error instanceof UnresolvedReferenceError) {
    return { kind: "failed", error: { code: "unresolved_reference", message }, retryable: false };
  }
  const retryAfterMs = error instanceof TransientError ? error.retryAfterMs : undefined;
  return {
    kind: "failed",
    error: { code: "failed", message },
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A tool that ignores its signal is left behind; whatever it still returns is nobody's. */
async function abortable<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([running, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Both may settle after the race is over; neither is a fault then.
    running.catch(() => undefined);
    aborted.promise.catch(() => undefined);
  }
}

async function loadJson(deps: StepDeps, { planId }: StepWork, name: string): Promise<Json> {
  const artifact = await deps.artifacts.get(planId, name);
  if (artifact === undefined) {
    throw new PermanentError(`the artifact ${name} is gone`, { code: "artifact_lost" });
  }
  // Only outputs are referred to this way, and outputs are stored as JSON.
  return JSON.parse(Buffer.from(artifact.content).toString("utf8")) as Json;
}
