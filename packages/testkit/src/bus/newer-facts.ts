import type { PlanId } from "@planwright/plan";
import { type Bus, createPublish, planSubjects, STREAMS } from "@planwright/shared/bus";

/** One on each class of subjects. */
const SUBJECTS = ["d.step-blessed", "control.flow.blessed", "r.a.0.1.blessed", "t.blessed"] as const;

export type NewerFacts = {
  /** Stores a further set of them: of a type unknown to this version, and in another form of a known type. */
  store(round: string): Promise<void>;
  /** The number of them in the log. */
  kept(): Promise<number>;
};

/** The events that services of a newer version would write about a plan. */
export function newerFacts(bus: Bus, planId: PlanId): NewerFacts {
  const publish = createPublish(bus);
  const prefix = planSubjects(planId).slice(0, -1);
  const subjects = [...SUBJECTS, "r.a.0.9.done"].map((rest) => prefix + rest);
  return {
    async store(round) {
      for (const subject of subjects) {
        const id = `${round}/${subject}`;
        const type = subject.endsWith("done") ? "step.succeeded" : "step.blessed";
        const at = new Date().toISOString();
        await publish(subject, { id, type, planId, at, version: 2, data: { by: "a newer version" } }, { id });
      }
    },
    async kept() {
      const { state } = await bus.manager.streams.info(STREAMS.plans, { subjects_filter: `${prefix}>` });
      return subjects.reduce((sum, subject) => sum + (state.subjects?.[subject] ?? 0), 0);
    },
  };
}
