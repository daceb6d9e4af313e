import { PlanId, StepId, UnitId } from "@planwright/plan";
import { z } from "zod";

const Count = z.coerce.number().int().positive();
const Run = { planId: PlanId, stepId: StepId, item: z.coerce.number().int().nonnegative(), attempt: Count };

/** What a work message is for, as its subject says it. `undo`: it is the step's compensation. */
const WorkAddress = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("step"), pool: z.string(), ...Run, undo: z.literal(true).optional() }),
  z.object({ kind: z.literal("unit"), pool: z.string(), planId: PlanId, unit: UnitId }),
  z.object({ kind: z.literal("facts"), ...Run }),
  z.object({ kind: z.literal("review"), ...Run, review: Count }),
  z.object({ kind: z.literal("draft"), planId: PlanId, draft: Count }),
  z.object({ kind: z.literal("join"), planId: PlanId, join: Count }),
  z.object({
    kind: z.literal("critique"),
    planId: PlanId,
    of: z.enum(["plan", "answer"]),
    draft: Count,
    review: Count,
  }),
]);
export type WorkAddress = z.infer<typeof WorkAddress>;

/** Undefined when it is no subject that a dispatcher of this version sends work to. */
export function parseWorkSubject(subject: string): WorkAddress | undefined {
  const [work, queue, ...tokens] = subject.split(".");
  return work === "work" ? WorkAddress.safeParse(named(queue, tokens)).data : undefined;
}

function named(queue: string | undefined, tokens: readonly string[]): object | undefined {
  const [first, second, third, fourth, fifth] = tokens;
  if (queue === "step" && fourth === "unit")
    return { kind: "unit", pool: first, planId: second, unit: third };
  if (queue === "step") {
    const run = { pool: first, planId: second, stepId: third, attempt: fifth };
    return { kind: "step", ...run, ...(fourth === "undo" ? { item: 0, undo: true } : { item: fourth }) };
  }
  if (queue === "facts") {
    return { kind: "facts", planId: first, stepId: second, item: third, attempt: fourth };
  }
  if (queue === "plan" && tokens.length === 2) return { kind: "draft", planId: first, draft: second };
  if (queue !== "reflect") return undefined;
  switch (tokens.length) {
    case 2:
      return { kind: "join", planId: first, join: second };
    case 4: // No step id has a tilde.
      return {
        kind: "critique",
        planId: first,
        of: second?.match(/^~(.*)/)?.[1],
        draft: third,
        review: fourth,
      };
    case 5:
      return { kind: "review", planId: first, stepId: second, item: third, attempt: fourth, review: fifth };
    default:
      return undefined;
  }
}
