import { randomUUID } from "node:crypto";
import { FEEDBACK_MAX, FeedbackGiven, isEnded, type KnownPlan } from "@planwright/plan";
import {
  type Bus,
  appendEvent,
  factSubject,
  type Publish,
  readFromLeader,
  STREAMS,
} from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "./own-plan.ts";
import { takenIn } from "./store-request.ts";

/** Other users may give feedback simultaneously. */
const TRIES_MAX = 5;

export type Feedback = Pick<FeedbackGiven["data"], "rating"> & {
  readonly comment?: string | undefined;
  readonly by?: string | undefined;
};

export type GiveFeedback = (request: {
  readonly tenant: string;
  /** The rater; undefined where no credentials are needed, in which case the rating may give a name. */
  readonly identity: string | undefined;
  readonly planId: string;
  readonly feedback: Feedback;
}) => Promise<NonNullable<KnownPlan["feedback"]>>;

/**
 * Makes the function that records feedback to an ended plan. The latest rating counts; all of them stay in the log.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `plan_not_ended`, `feedback_given` after 20.
 */
export function createGiveFeedback({
  bus,
  book,
  publish,
  now,
}: {
  readonly bus: Bus;
  readonly book: Pick<PlanBook, "find" | "reached">;
  readonly publish: Publish;
  readonly now: () => Date;
}): GiveFeedback {
  return async ({ tenant, identity, planId, feedback: { rating, comment, by } }) => {
    for (let tries = 1; ; tries++) {
      const plan = await ownPlan(book, { tenant, planId });
      if (!isEnded(plan))
        throw new Problem("plan_not_ended", `the plan is ${plan.status}: wait until it has ended`);
      const number = (plan.feedback?.number ?? 0) + 1;
      if (number > FEEDBACK_MAX) {
        throw new Problem("feedback_given", `a plan accepts feedback max ${FEEDBACK_MAX} times`);
      }
      const at = now();
      const said = { number, rating, by: identity ?? by ?? tenant };
      const data = comment === undefined ? said : { ...said, comment };
      const event = FeedbackGiven.create({ planId: plan.planId, at }, data, randomUUID());
      const stored = await appendEvent(publish, event);
      if (stored.status !== "lost") {
        await takenIn(book, stored.sequence);
        return { ...data, at: event.at };
      }
      if (tries === TRIES_MAX) throw new TransientError(`others gave feedback ${TRIES_MAX} times meanwhile`);
      // Another user has just given feedback that our own view may not show yet.
      const last_by_subj = factSubject(event);
      const other = await readFromLeader(bus, STREAMS.plans, { last_by_subj });
      if (other !== null) await takenIn(book, other.seq);
    }
  };
}
