import { expect, it, describe } from "vitest";
import { attemptName } from "../events/values.ts";
import { StepId } from "../values/ids.ts";
import { followUpWork, resumedWork } from "./follow-ups.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import type { StepWork } from "../events/work.ts";
import {
  after,
  andAfter,
  GRANTS,
  LIGHT,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../test/facts.ts";

/** A goal whose plan's echoes are light. */
const lightly = (steps: readonly object[], more: object = {}) =>
  submitted(steps, { grants: { ...GRANTS, "flow.echo": LIGHT }, ...more });
const id = (text: string) => StepId.parse(text);
const refersTo = (id: string) => ({ args: { value: { $ref: `${id}.output` } } });

/** s1 → s2 → s3, each referring to the one before. */
const CHAIN = [step("s1"), step("s2", [], refersTo("s1")), step("s3", [], refersTo("s2"))];

function onlyWork(plan: KnownPlan): StepWork {
  const [work] = worksOf(plan);
  if (work === undefined) throw new Error("nothing is to be run");
  return work;
}

function followUpsOf(steps: readonly object[], more: object = {}): string[] {
  return onlyWork(after(lightly(steps, more))).followUps?.map(({ stepId }) => stepId) ?? [];
}

function goOn(work: StepWork, value: unknown): StepWork {
  const next = followUpWork(work, { value: value as string });
  if (next === undefined) throw new Error(`nothing follows ${work.stepId}`);
  return next;
}

describe("what may follow a step", () => {
  it("is a chain of steps that need nothing else", () => expect(followUpsOf(CHAIN)).toEqual(["s2", "s3"]));

  it.each([
    ["a step that needs another one too", [step("s1"), step("s2", ["s1", "s0"]), step("s0")]],
    ["a step that changes something", [step("s1"), step("s2", ["s1"], { tool: "files.write" })]],
    ["a step that is not light", [step("s1"), step("s2", ["s1"], { tool: "model.write" })]],
    ["a step of another pool", [step("s1"), step("s2", ["s1"], { agent: "gpu" })]],
  ])("is not %s", (_what, steps) => expect(followUpsOf(steps)).toEqual([]));

  it.each([
    ["a step that is verified", [step("s1"), step("s2", ["s1"]), step("v", [], { verifies: "s2" })]],
    ["a step with a fallback", [step("s1"), step("s2", ["s1"], { fallback: "f" }), step("f")]],
    ["a fallback", [step("s1"), step("s2", [], { fallback: "f", tool: "files.write" }), step("f", ["s1"])]],
    ["a step with a condition", [step("s1"), step("s2", ["s1"], { when: "{{s1.output}} > 1" })]],
    ["a step for each of a list", [step("s1"), step("s2", ["s1"], { forEach: { $ref: "s1.output" } })]],
    ["a step whose output is reviewed", [step("s1"), step("s2", ["s1"], { review: { maxIterations: 1 } })]],
  ])("is not %s, beside steps that need only this one", (_what, steps) => {
    expect(worksOf(after(lightly(steps))).find(({ stepId }) => stepId === "s1")?.followUps).toBeUndefined();
  });

  it("brings along the model of a step", () => {
    const [work] = worksOf(after(lightly([step("s1"), step("s2", ["s1"], { model: "small" })])));
    expect(work?.followUps).toMatchObject([{ stepId: "s2", model: "small" }]);
  });

  it("brings along how large an output may be that is looked through for facts", () => {
    const [work] = worksOf(after(lightly([step("s1"), step("s2", ["s1"])], { facts: "all" })));
    expect(work?.followUps).toMatchObject([{ stepId: "s2", inlineBytesMax: expect.any(Number) }]);
  });

  it("is a light step after one that is not", () =>
    expect(followUpsOf([step("s1", [], { tool: "model.write" }), step("s2", ["s1"])])).toEqual(["s2"]));

  it("is nothing after a step that changes something", () =>
    expect(followUpsOf([step("s1", [], { tool: "files.write" }), step("s2", ["s1"])])).toEqual([]));

  it("is nothing where people want to be asked", () =>
    expect(followUpsOf(CHAIN, { grants: { "flow.echo": { ...LIGHT, risk: "medium" } } })).toEqual([]));

  it("is nothing where each step is granted its part of a budget", () =>
    expect(followUpsOf(CHAIN, { budget: { steps: 10, onExhausted: "end" } })).toEqual([]));

  it("is one of several; the others are sent", () => {
    const plan = after(lightly([step("s1"), step("s2", ["s1"]), step("s3", ["s1"])]));
    const next = goOn(onlyWork(plan), 1);
    const went = andAfter(plan, done("s1", next.stepId));
    expect(next.stepId).toBe("s2");
    expect(worksOf(went).map(({ stepId }) => stepId)).toEqual(["s3"]);
  });

  it("is at most 32 steps, and at most 32 KiB of arguments", () => {
    const chain = Array.from({ length: 100 }, (_, index) =>
      step(`s${index}`, index === 0 ? [] : [`s${index - 1}`]),
    );
    expect(followUpsOf(chain)).toHaveLength(32);
    const large = { args: { value: "x".repeat(10_000) } };
    const heavy = [step("s1"), ...[2, 3, 4, 5, 6].map((n) => step(`s${n}`, [`s${n - 1}`], large))];
    expect(followUpsOf(heavy)).toEqual(["s2", "s3", "s4"]);
  });

  it("carries the outputs that it refers to, whatever their step's name", () => {
    const steps = [step("__proto__"), step("s1", ["__proto__"]), step("s2", ["s1"], refersTo("__proto__"))];
    const plan = after(lightly(steps), succeeded("__proto__", "p"));
    expect(goOn(onlyWork(plan), 1).args).toEqual({ value: "p" });
  });
});

describe("a worker that continues with a follow-up", () => {
  it("resolves the follow-up's references, and names the attempt that it followed", () => {
    const first = onlyWork(after(lightly(CHAIN)));
    const second = goOn(first, "one");
    const third = goOn(second, "two");
    expect(second).toMatchObject({ stepId: "s2", args: { value: "one" }, via: { stepId: "s1", attempt: 1 } });
    expect(third).toMatchObject({ stepId: "s3", args: { value: "two" }, via: { stepId: "s1", attempt: 1 } });
    expect(followUpWork(third, { value: 3 })).toBeUndefined();
  });

  it("leaves a follow-up that cannot be resolved to the dispatcher", () => {
    const steps = [step("s1"), step("s2", [], { args: { value: { $ref: "s1.output.price" } } })];
    expect(followUpWork(onlyWork(after(lightly(steps))), { value: "none" })).toBeUndefined();
  });

  it("has its follow-up marked as running, without a work message for it", () => {
    const plan = after(lightly(CHAIN), done("s1", "s2"));
    expect(stepOf(plan, "s2").state).toMatchObject({ status: "running", via: { stepId: "s1" } });
    expect(worksOf(plan)).toEqual([]);
    expect(plan.inFlight).toBe(1);
  });

  it("reports an outcome that counts only with the right preceding attempt", () => {
    const plan = after(lightly(CHAIN), done("s1", "s2"));
    expect(andAfter(plan, succeeded("s2"))).toBe(plan);
    expect(andAfter(plan, succeeded("s2", 1, 1, { via: { stepId: "s1", attempt: 2 } }))).toBe(plan);
    const went = andAfter(plan, succeeded("s2", 1, 1, { via: { stepId: "s1", attempt: 1 } }));
    expect(worksOf(went).map(({ stepId }) => stepId)).toEqual(["s3"]);
  });

  it("is ignored when it continues with a step that it may not run", () => {
    const plan = after(lightly([step("s1"), step("s0"), step("s2", ["s1", "s0"])]), done("s1", "s2"));
    expect(stepOf(plan, "s2").state.status).toBe("waiting");
    expect(andAfter(plan, done("s0", "s1")).steps.get(id("s2"))?.state).not.toHaveProperty("via");
  });

  it("does not block a regular attempt with the same number", () => {
    const via = { stepId: id("s1"), attempt: 1 };
    const own = { stepId: id("s2"), attempt: 1 };
    expect(attemptName({ ...own, via })).not.toBe(attemptName(own));
  });
});

describe("a worker that takes over from a dead one", () => {
  const work = onlyWork(after(lightly(CHAIN)));
  const resumed = (...facts: PlanEvent[]) => resumedWork(after(...facts), work);

  it("begins at the first step that has no outcome", () => {
    expect(resumed(lightly(CHAIN))?.stepId).toBe("s1");
    const second = resumed(lightly(CHAIN), done("s1", "s2", "one"));
    expect(second).toMatchObject({ stepId: "s2", args: { value: "one" } });
    expect(second?.followUps?.map(({ stepId }) => stepId)).toEqual(["s3"]);
  });

  it("has nothing to do when the dead one did not continue", () =>
    expect(resumed(lightly(CHAIN), done("s1"))).toBeUndefined());

  it("has nothing to do once all steps are done", () => {
    const via = { stepId: "s1", attempt: 1 };
    const facts = [
      done("s1", "s2"),
      succeeded("s2", 1, 1, { via, next: "s3" }),
      succeeded("s3", 1, 1, { via }),
    ];
    expect(resumed(lightly(CHAIN), ...facts)).toBeUndefined();
  });
});

function done(stepId: string, next?: string, value: unknown = 1) {
  return succeeded(stepId, value, 1, { next });
}
