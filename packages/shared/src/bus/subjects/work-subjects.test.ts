import { PlanId, StepId } from "@planwright/plan";
import { expect, it } from "vitest";
import {
  parseWorkSubject,
  critiqueSubject,
  draftSubject,
  factsSubject,
  joinSubject,
  reviewSubject,
  stepSubject,
} from "./work-subjects.ts";

const planId = PlanId.parse("p1");
const run = { planId, stepId: StepId.parse("s1"), item: 2, attempt: 3 };
const step = { ...run, pool: "default" };

const SENT = [
  [stepSubject({ ...step, sentAfter: 1 }), { kind: "step", ...step }],
  [stepSubject({ ...step, undo: true, sentAfter: 0 }), { kind: "step", ...step, item: 0, undo: true }],
  [factsSubject(run), { kind: "facts", ...run }],
  [draftSubject({ planId, draft: 4 }), { kind: "draft", planId, draft: 4 }],
  [joinSubject({ planId, join: 5 }), { kind: "join", planId, join: 5 }],
  [reviewSubject({ ...run, review: 6 }), { kind: "review", ...run, review: 6 }],
  [
    critiqueSubject({ planId, of: "answer", draft: 7, review: 8 }),
    { kind: "critique", planId, of: "answer", draft: 7, review: 8 },
  ],
] as const;

it.each(SENT)("parses the work subject %s", (subject, address) => {
  expect(parseWorkSubject(subject)).toEqual(address);
});

it.each([
  ["another stream", "plan.p1.d.step"],
  ["an unknown queue", "work.mail.p1.1"],
  ["no number", "work.plan.p1"],
  ["a number that is none", "work.plan.p1.first"],
  ["the number 0", "work.reflect.p1.0"],
  ["a number that no program can count to", "work.plan.p1.9007199254740993"],
  ["a negative item", "work.facts.p1.s1.-1.1"],
  ["a token too many", "work.reflect.p1.s1.0.1.1.1"],
  ["a draft of a step", "work.reflect.p1.s1.1.1"],
  ["a plan id with a space", "work.plan.p 1.1"],
])("parses no work from a subject with %s", (_what, subject) => {
  expect(parseWorkSubject(subject)).toBeUndefined();
});
