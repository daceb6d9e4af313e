import { describe, expect, it } from "vitest";
import { stepsOfWork } from "./bundles.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { StepWork } from "../events/work.ts";
import {
  after,
  andAfter,
  faltered,
  GRANTS,
  kindsOf,
  LIGHT,
  pauseRequested,
  resumeRequested,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../test/facts.ts";

const BUNDLED = { grants: { ...GRANTS, "flow.echo": LIGHT } };
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);
const side = (count: number, more: object = {}): object[] => ids(count).map((id) => step(id, [], more));
const stepsIn = (work: StepWork) => stepsOfWork(StepWork.parse(work)).map(({ stepId }) => stepId);

function wide(count: number, more: object = {}): KnownPlan {
  return after(submitted(side(count), { ...BUNDLED, ...more }));
}

/** The work that a dispatcher sends when it has just taken the plan over. */
function sentAgain(plan: KnownPlan): Command[] {
  return decide(plan);
}

describe("light steps that become ready together", () => {
  it("go in bundles of at most 16, in the order of planning", () => {
    expect(worksOf(wide(40)).map(stepsIn)).toEqual([
      ids(40).slice(0, 16),
      ids(40).slice(16, 32),
      ids(40).slice(32),
    ]);
  });

  it("go one by one when they are few, and so does the one that is left over", () => {
    expect(worksOf(wide(3)).map(stepsIn)).toEqual([["s0"], ["s1"], ["s2"]]);
    expect(worksOf(wide(17)).map((work) => stepsIn(work).length)).toEqual([1, 16]);
  });

  it("carry their own tool, arguments and time-out, and share the rest", () => {
    const steps = ids(4).map((id, index) => step(id, [], { args: { value: index }, timeoutMs: index + 1 }));
    const [work] = worksOf(after(submitted(steps, BUNDLED)));
    expect(stepsOfWork(StepWork.parse(work))).toMatchObject(
      ids(4).map((stepId, index) => ({
        planId: "p1",
        stepId,
        attempt: 1,
        args: { value: index },
        timeoutMs: index + 1,
      })),
    );
  });

  it.each([
    ["take their time", { grants: GRANTS }],
    ["have to be granted their part of a budget", { ...BUNDLED, budget: { steps: 9, onExhausted: "end" } }],
    ["may need leave", { grants: { ...GRANTS, "flow.echo": { ...LIGHT, risk: "medium" } } }],
    ["change something", { grants: { ...GRANTS, "flow.echo": { ...LIGHT, effect: "idempotent" } } }],
  ])("go one by one when they %s", (_what, more) => {
    expect(worksOf(after(submitted(side(8), more))).map(stepsIn)).toEqual(ids(8).map((id) => [id]));
  });

  it("are sent one by one when their worker may continue with follow-up steps", () => {
    const chains = ids(6).flatMap((id) => [step(id), step(`${id}-next`, [id])]);
    expect(worksOf(after(submitted(chains, BUNDLED))).map(stepsIn)).toEqual(ids(6).map((id) => [id]));
  });

  it("are sent to the pool of each step", () => {
    const steps = [...side(4), ...ids(4).map((id) => step(`gpu-${id}`, [], { agent: "gpu" }))];
    const works = worksOf(after(submitted(steps, BUNDLED)));
    expect(works.map(({ pool, ...work }) => [pool, stepsIn({ ...work, pool })])).toEqual([
      ["default", ids(4)],
      ["gpu", ids(4).map((id) => `gpu-${id}`)],
    ]);
  });

  it("are not sent with one whose references lead nowhere: that one has failed", () => {
    const steps = [step("s"), ...ids(4).map((id) => step(id, ["s"]))];
    const lost = step("s9", [], { args: { value: { $ref: "s.output.price" } } });
    const plan = after(submitted([...steps, lost], BUNDLED), succeeded("s"));
    expect(kindsOf(plan)).toEqual(["run", "step.failed"]);
    expect(worksOf(plan).map(stepsIn)).toEqual([ids(4)]);
  });

  it("go alone where more than their tool and arguments tells them from the others", () => {
    const grants = { ...BUNDLED.grants, "math.evaluate": { ...LIGHT, modelTokens: 10 } };
    const steps = [...side(4), step("other", [], { tool: "math.evaluate" })];
    const plan = after(submitted(steps, { ...BUNDLED, grants, facts: "large" }));
    expect(worksOf(plan).map(stepsIn)).toEqual([ids(4), ["other"]]);
  });

  it("go alone with arguments that would make their message too large", () => {
    const plan = after(submitted(side(4, { args: { value: "x".repeat(100_000) } }), BUNDLED));
    expect(worksOf(plan).map(stepsIn)).toEqual([["s0", "s1"], ["s2"], ["s3"]]);
  });
});

describe("a bundle", () => {
  it("is sent again by who takes the plan over, as long as one of its steps runs, in its first one's place", () => {
    const sent = worksOf(wide(5));
    const left = andAfter(wide(5), succeeded("s0"), succeeded("s2"));
    const [again, ...others] = sentAgain(left);
    expect(others).toEqual([]);
    expect(again).toMatchObject({ kind: "run", id: "p1/s0/0/1", work: { stepId: "s1", sentWith: "s0" } });
    expect(again?.kind === "run" && stepsIn(again.work)).toEqual(["s1", "s3", "s4"]);
    expect(sent.map(({ stepId }) => stepId)).toEqual(["s0"]);
  });

  it("is no longer what a step is sent in that is tried again", () => {
    const plan = andAfter(wide(4), faltered("s1"));
    expect(stepOf(plan, "s1").state).toEqual({ status: "waiting", for: "retry", attempt: 2 });
  });

  it("is the same after a pause, also when some of its steps have begun", () => {
    const plan = andAfter(wide(4), started("s1"), pauseRequested(), resumeRequested());
    expect(worksOf(plan)).toEqual(worksOf(wide(4)));
  });
});
