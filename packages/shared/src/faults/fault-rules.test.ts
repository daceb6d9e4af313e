import { expect, it } from "vitest";
import { kindOf } from "./fault-points.ts";
import { faultRules } from "./fault-rules.ts";

it("reads every rule of the setting", () => {
  expect(faultRules().parse("outcome.before-publish=kill@2, step-work.after-ack=delay:500")).toEqual([
    { point: "outcome.before-publish", action: "kill", passage: 2 },
    { point: "step-work.after-ack", action: 500, passage: 1 },
  ]);
});

it.each([
  "outcome=kill",
  "nothing.before-publish=kill",
  "outcome.before-publish=kill@0",
  "goal.before-ack=kill",
  "",
])("rejects the setting %j", (text) => {
  expect(faultRules().safeParse(text).success).toBe(false);
});

it.each([
  ["plan.3.p1.control.submitted", "goal"],
  ["plan.3.p1.control.cancelled", "control"],
  ["plan.3.p1.d.plan-ended", "decision"],
  ["plan.3.p1.r.s1.0.1.started", "step-start"],
  ["plan.3.p1.w.default.s1.0.1.started", "step-start"],
  ["plan.3.p1.w.default.s1.0.1.done", "outcome"],
  ["plan.3.p1.w.default.s1.0.turn.1", "turn"],
  ["plan.3.p1.r.s1.0.1.done", "outcome"],
  ["plan.3.p1.w.default.s1.unit.s2.0.1.done", "unit"],
  ["plan.3.p1.w.default.s1.unit.closed", "unit"],
  ["plan.3.p1.r.s1.undo.1.interrupted", "interruption"],
  ["plan.3.p1.redrive.s1.0.1", "redrive"],
  ["plan.3.p1.r.~draft.1.started", "draft-start"],
  ["plan.3.p1.r.~draft.1.step.0", "draft-step"],
  ["plan.3.p1.r.~draft.1.ended", "draft-end"],
  ["plan.3.p1.r.~join.1.done", "join"],
  ["plan.3.p1.r.s1.0.1.reviewed.1", "review"],
  ["plan.3.p1.r.s1.0.1.facts", "facts"],
  ["plan.3.p1.r.s1.0.turn.1", "turn"],
  ["plan.3.p1.r.s1.0.turn.1_2", "turn"],
  ["plan.3.p1.r.s1.0.call.1_2", "call"],
  ["work.facts.p1.s1.0.1", "facts-work"],
  ["timer.3.p1.retry", "timer"],
  ["work.step.default.p1.s1.0.1", "step-work"],
  ["work.plan.p1.1", "draft-work"],
  ["work.reflect.p1.1", "join-work"],
  ["dead.work.plan.p1.1", "dead-letter"],
  ["artifact.p1.abc", "artifact"],
  ["elsewhere", "other"],
])("derives the kind of a message from the subject %s", (subject, kind) => {
  expect(kindOf(subject)).toBe(kind);
});
