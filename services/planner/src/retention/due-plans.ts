/** Which plans ended, ordered by when they ended. */
import { PlanId } from "@planwright/plan";
import { type Bus, endedSubjects, planIdIn, readNext, STREAMS } from "@planwright/shared/bus";

const BATCH = 256;

export type EndedPlan = {
  readonly planId: PlanId;
  /** The position of its end in the stream. */
  readonly sequence: number;
  readonly endedAt: Date;
};

/** The ends of plans that are still in the log, from a sequence on, up to 256 of them. */
export async function readEnds(bus: Bus, from: number): Promise<EndedPlan[]> {
  const query = { seq: from, next_by_subj: endedSubjects("*"), batch: BATCH };
  const ends = await readNext(bus, STREAMS.plans, query);
  return ends.map(({ seq, subject, time }) => ({ planId: planOf(subject), sequence: seq, endedAt: time }));
}

/** The plan that a subject of the log or the archive belongs to. */
export function planOf(subject: string): PlanId {
  return PlanId.parse(planIdIn(subject));
}
