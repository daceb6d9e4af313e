import type { PlanId } from "@planwright/plan";
import { SERVICE_NAMES } from "./service-names.ts";
import type { TestSystem } from "./start-system.ts";

const PLANS_MAX = 5;
const EVENTS_MAX = 200;
const EVENT_CHARS_MAX = 400;
const LOG_LINES_MAX = 50;
const READ_WITHIN_MS = 2_000;

/** The whole systems of this process. */
export const runningSystems = new Set<TestSystem>();

/** Returns the events of each plan from the gateway, and the lines of the services' logs that contain its id. */
export async function plansReport(system: TestSystem, planIds: readonly PlanId[]): Promise<string> {
  const reports = await Promise.all(planIds.slice(-PLANS_MAX).map((planId) => planReport(system, planId)));
  const left = planIds.length - reports.length;
  return [...(left > 0 ? [`${left} earlier plans are left out`] : []), ...reports].join("\n");
}

async function planReport(system: TestSystem, planId: PlanId): Promise<string> {
  const events: string[] = [];
  try {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    for await (const { seq, event } of system.client.stream(planId, { signal })) {
      const text = `${seq} ${event.at} ${event.type} ${JSON.stringify(event.data)}`;
      if (events.push(text.slice(0, EVENT_CHARS_MAX)) === EVENTS_MAX) break;
    }
  } catch (error) {
    // A plan that has not ended sends no more; a gateway that has ended sends nothing.
    events.push(`(no more: ${String(error)})`);
  }
  const logs = SERVICE_NAMES.flatMap((name) =>
    system.processes(name).flatMap((process) => {
      const lines = process.output().split("\n");
      return lines
        .filter((line) => line.includes(planId))
        .slice(-LOG_LINES_MAX)
        .map((line) => `${name}: ${line}`);
    }),
  );
  return [`plan ${planId}`, ...events, `logs that name ${planId}:`, ...logs].join("\n  ");
}
