import type { KnownPlan, PlanEnded } from "@planwright/plan";
import type { Telemetry } from "@planwright/shared/telemetry";

/**
 * Emits the span of a whole plan: its id was allocated at submission, so that everything else could be
 * its child, and its times come from the log, so that no process holds a span open for a plan's life.
 */
export function emitWorkflowSpan(telemetry: Telemetry, plan: KnownPlan, { at, data }: PlanEnded): void {
  const { trace } = plan.goal;
  telemetry.emitSpan({
    ids: trace,
    ...(trace.parentSpanId === undefined ? {} : { parentSpanId: trace.parentSpanId }),
    name: "invoke_workflow planwright",
    startTimeMs: Date.parse(plan.submittedAt),
    endTimeMs: Date.parse(at),
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.agent.name": "planwright",
      "plan.id": plan.planId,
      "plan.revision": plan.revision,
      "plan.outcome": data.outcome,
      "plan.steps": plan.steps.size,
      "gen_ai.usage.input_tokens": plan.usage.inputTokens,
      "gen_ai.usage.output_tokens": plan.usage.outputTokens,
    },
    ...(data.outcome === "failed" ? { error: new Error(data.reason) } : {}),
  });
}
