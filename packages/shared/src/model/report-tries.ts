import { ModelFailed, type ModelTries, type ModelWork, type PlanId } from "@planwright/plan";
import type { Logger } from "pino";
import { appendEvent } from "../bus/append-event.ts";
import type { Publish } from "../bus/publisher.ts";

/**
 * Records each failed model call of a piece of work in its plan's log, so that viewers see why the plan waits and the
 * next worker knows how many calls were made. Losing a record loses a call that is not counted.
 */
export function reportTries(
  { publish, now, log }: { readonly publish: Publish; readonly now: () => Date; readonly log: Logger },
  { planId, work }: { readonly planId: PlanId; readonly work: ModelWork },
): (tries: ModelTries) => void {
  return (tries) => {
    const event = ModelFailed.create({ planId, at: now() }, { work, tries });
    // A delivery that begins again counts from the start, and finds its reports there.
    appendEvent(publish, event).catch((error: unknown) => {
      log.warn({ planId, err: error }, "could not record failed model call");
    });
  };
}
