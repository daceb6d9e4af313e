import type { PlanEvent } from "@planwright/plan";
import type { SystemClient } from "@planwright/testkit";

type Following = {
  readonly client: Pick<SystemClient, "events">;
  readonly planId: string;
  readonly print: (line: string) => void;
  /** Called with each event before the next one is read. */
  readonly onEvent: (event: PlanEvent) => Promise<void>;
};

/**
 * Prints a plan's events until its end. There is no deadline: a user can take as long as they like, and Ctrl-C ends
 * the command.
 */
export async function followExample({ client, planId, print, onEvent }: Following): Promise<void> {
  const startedAt = performance.now();
  const { signal } = new AbortController();
  for await (const { seq, event } of client.events(planId, { signal })) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2).padStart(6);
    print(`${seconds} s  ${String(seq).padStart(3)}  ${event.type.padEnd(18)} ${detailOf(event)}`);
    await onEvent(event);
    if (event.type === "plan.ended") return;
  }
}

function detailOf({ type, data }: PlanEvent): string {
  if (type === "step.planned") return `${data.step.id}: ${data.step.description}`;
  if (type === "step.succeeded") return `${data.stepId}, ${Math.round(data.durationMs)} ms`;
  if (type === "step.failed") return `${data.stepId}: ${data.error.message}`;
  if (type === "step.started") return data.stepId;
  if (type === "plan.ended") return data.outcome;
  return "";
}
