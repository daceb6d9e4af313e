/**
 * One draft's part of a plan's log.
 *
 * Invariants:
 *   DRAFT-1. A draft is opened once: only its opener plans its steps.
 *   DRAFT-2. A draft is ended once, by the first planner to do so, and none of its steps is stored afterwards.
 */
import {
  DraftAbandoned,
  type DraftWork,
  NO_USAGE,
  type PlanEvent,
  PlanRevised,
  PlanSealed,
  StepPlanned,
  DraftStarted,
} from "@planwright/plan";
import { appendEvent, appendEvents, factSubject, type Publish } from "@planwright/shared/bus";
import { UnwantedError } from "@planwright/shared/jobs";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { PlannedStep } from "./draft-builder.ts";

export type Abandonment = Pick<DraftAbandoned["data"], "cause" | "message" | "retryable"> &
  Partial<
    Pick<
      DraftAbandoned["data"],
      "issues" | "unavailable" | "retryAfterMs" | "usage" | "forfeited" | "allowanceSpent"
    >
  >;

export type DraftLog = {
  /**
   * Opens the draft.
   *
   * @param opener - Unique to this attempt to open it, across all processes.
   * @returns False when it was opened before.
   */
  open(opener: string, data: Omit<DraftStarted["data"], "draft">): Promise<boolean>;
  /** @throws {DraftEndedError} When the draft has been ended meanwhile. */
  plan(planned: readonly PlannedStep[]): Promise<void>;
  /** Each of these ends the draft, with its last steps, and returns false if it had already ended. */
  seal(data: Omit<PlanSealed["data"], "draft">, held: readonly PlannedStep[]): Promise<boolean>;
  revise(data: Omit<PlanRevised["data"], "draft">, held: readonly PlannedStep[]): Promise<boolean>;
  abandon(abandonment: Abandonment, held?: readonly PlannedStep[]): Promise<boolean>;
};

/** Another writer has ended the draft: nothing more of it is stored. */
export class DraftEndedError extends UnwantedError {
  override readonly name = "DraftEndedError";
}

const ISSUES_MAX = 200;

export function createDraftLog(
  { planId, draft, after }: Pick<DraftWork, "planId" | "draft" | "after">,
  { publish, now, trace }: { publish: Publish; now: () => Date; trace?: TraceParent | undefined },
): DraftLog {
  const head = () => ({ planId, after, at: now() });
  const abandoned = (data: Abandonment): PlanEvent =>
    DraftAbandoned.create(head(), {
      usage: NO_USAGE,
      ...data,
      draft,
      issues: data.issues?.slice(0, ISSUES_MAX) ?? [],
    });
  const steps = (planned: readonly PlannedStep[]): PlanEvent[] =>
    planned.map((one) => StepPlanned.create(head(), { draft, ...one }));
  // Every end of a draft has the same subject.
  const ended = factSubject(abandoned({ cause: "interrupted", message: "", retryable: true }));
  const append = async (events: readonly PlanEvent[]): Promise<boolean> => {
    const fence = { sequence: 0, subject: ended };
    return (await appendEvents(publish, events, { fence, trace })).status !== "lost";
  };

  return {
    async open(opener, data) {
      const event = DraftStarted.create(head(), { draft, ...data }, opener);
      return (await appendEvent(publish, event, { trace })).status !== "lost";
    },
    async plan(planned) {
      if (!(await append(steps(planned)))) throw new DraftEndedError(`draft ${draft} has ended`);
    },
    seal: (data, held) => append([...steps(held), PlanSealed.create(head(), { draft, ...data })]),
    revise: (data, held) => append([...steps(held), PlanRevised.create(head(), { draft, ...data })]),
    abandon: (data, held = []) => append([...steps(held), abandoned(data)]),
  };
}
