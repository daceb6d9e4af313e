// When a plan's end is decided together with the answer that it follows from.
import { expect, it } from "vitest";
import { after, decideNext, failed, step, submitted, succeeded } from "../../test/facts.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import type { Command } from "./command.ts";
import { decideAhead } from "./decide-ahead.ts";

const aheadOf = (plan: KnownPlan): ReturnType<typeof decideAhead> =>
  decideAhead(plan, decideNext(plan).filter(isRecord));

function isRecord(command: Command): command is Extract<Command, { kind: "record" }> {
  return command.kind === "record";
}

it("decides the end of a plan whose answer is about to be recorded", () => {
  const plan = after(submitted([step("a")]), succeeded("a"));
  expect(aheadOf(plan)?.event).toMatchObject({
    type: "plan.ended",
    data: { outcome: "succeeded", reason: "the plan named its answer" },
  });
});

it("uses the state at the time the answer is recorded", () => {
  const plan = after(submitted([step("a")]), failed("a", 1, { retryable: false }));
  const end = aheadOf(plan)?.event;
  expect(end?.type === "plan.ended" && end.data.outcome).toBe(plan.conclusion?.outcome);
});

it("decides no end while anything else, or nothing, is decided", () => {
  const running = after(submitted([step("a"), step("b", ["a"])]), succeeded("a"));
  expect(decideAhead(running, [])).toBeUndefined();
  const failing = after(submitted([step("a"), step("b", ["a"])]), failed("a", 1, { retryable: false }));
  expect(decideNext(failing).filter(isRecord)[0]?.event.type).toBe("step.skipped");
  expect(aheadOf(failing)).toBeUndefined();
});

it("decides no end for a sub-plan: its parent records it first", () => {
  const parent = { planId: "p0", stepId: "a", item: 0, attempt: 1, depth: 1 };
  const plan = after(submitted([step("s")], { parent }), succeeded("s"));
  expect(decideNext(plan).filter(isRecord)[0]?.event.type).toBe("answer.given");
  expect(aheadOf(plan)).toBeUndefined();
});
