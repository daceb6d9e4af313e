// Steps with a fallback: "b" is the fallback of "a", and "end" needs "a", whichever of the two delivers.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  approvalDecided,
  cancelRequested,
  decideNext,
  draftStarted,
  fact,
  failed,
  faltered,
  givenUp,
  GRANTS,
  kindsOf,
  pauseRequested,
  planned,
  recorded,
  redriveRequested,
  resumeRequested,
  revised,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";

const PAIR = [
  step("a", [], { fallback: "b" }),
  step("b"),
  step("end", [], { args: { value: "{{a.output}}" } }),
];
const idsOf = (plan: Parameters<typeof worksOf>[0]) => worksOf(plan).map(({ stepId }) => stepId);
const stateOf = (plan: Parameters<typeof stepOf>[0], id: string) => stepOf(plan, id).state;

describe("a fallback", () => {
  it("waits until the step that names it has ended (FALLBACK-1)", () => {
    const plan = after(submitted(PAIR));
    expect(idsOf(plan)).toEqual(["a"]);
    expect(stateOf(plan, "b")).toMatchObject({ status: "waiting", for: "primary" });
    expect(viewOf(plan, 0).steps[1]).toMatchObject({ waitingFor: "primary" });
  });

  it("runs when that step has failed permanently, and its output is used instead (FALLBACK-2)", () => {
    const plan = after(submitted(PAIR, { replanOnFailure: true }), failed("a"));
    expect(idsOf(plan)).toEqual(["b"]);
    expect(plan.drafting.phase).toBe("sealed");
    expect(stateOf(plan, "end")).toMatchObject({ status: "waiting", for: "dependencies" });
    const delivered = andAfter(plan, succeeded("b", "plan b"));
    expect(worksOf(delivered)).toMatchObject([{ stepId: "end", args: { value: "plan b" } }]);
    const ended = andAfter(delivered, succeeded("end", "done"));
    expect(ended.conclusion).toMatchObject({
      outcome: "succeeded",
      answer: { text: "done", status: "success" },
    });
    expect(viewOf(ended, 0).steps[0]).toMatchObject({ status: "failed", replacedBy: "b" });
  });

  it("does not run while the step has retries left (FALLBACK-1)", () => {
    const plan = after(submitted(PAIR), faltered("a"));
    expect(stateOf(plan, "b")).toMatchObject({ status: "waiting", for: "primary" });
    expect(idsOf(andAfter(plan, timerFired("retry-a-0-2")))).toEqual(["a"]);
  });

  it("is skipped when it is not needed, even while it waits for other steps (FALLBACK-3)", () => {
    const steps = [step("a", [], { fallback: "b" }), step("slow"), step("b", ["slow"]), step("end", ["a"])];
    const plan = recorded(after(submitted(steps), succeeded("a")));
    expect(stateOf(plan, "b")).toEqual({
      status: "skipped",
      because: "a",
      reason: "not needed: a succeeded",
      passedOver: true,
    });
    expect(stateOf(andAfter(plan, succeeded("slow")), "b").status).toBe("skipped");
  });

  it("runs for a step whose dependency failed, and waits only for its own dependencies", () => {
    const steps = [step("s"), step("a", ["s"], { fallback: "b" }), step("b"), step("end", ["a"])];
    const plan = recorded(after(submitted(steps), failed("s")));
    expect(stateOf(plan, "a")).toMatchObject({ status: "skipped", because: "s" });
    expect(stateOf(plan, "b").status).toBe("running");
    expect(stateOf(andAfter(plan, succeeded("b")), "end").status).toBe("running");
  });

  it("may itself have a fallback", () => {
    const chain = [step("a", [], { fallback: "b" }), step("b", [], { fallback: "c" }), step("c"), PAIR[2]];
    const plan = after(submitted(chain as object[]), failed("a"), failed("b"));
    expect(idsOf(plan)).toEqual(["c"]);
    const delivered = andAfter(plan, succeeded("c", "third"));
    expect(worksOf(delivered)).toMatchObject([{ stepId: "end", args: { value: "third" } }]);
    expect(viewOf(delivered, 0).steps.map(({ replacedBy }) => replacedBy)).toEqual([
      "c",
      "c",
      undefined,
      undefined,
    ]);
    const spared = recorded(after(submitted(chain as object[]), failed("a"), succeeded("b")));
    expect(stateOf(spared, "c")).toMatchObject({ reason: "not needed: b succeeded" });
  });

  it("causes the step's dependents to be skipped when it fails too, and the reason names both failures", () => {
    const plan = recorded(after(submitted(PAIR), failed("a"), failed("b")));
    expect(stateOf(plan, "end")).toMatchObject({ status: "skipped", because: "a" });
    expect(plan.drafting.phase).toBe("sealed");
    const revised = after(submitted(PAIR, { replanOnFailure: true }), failed("a"), failed("b"));
    expect(revised.drafting).toMatchObject({
      phase: "requested",
      cause: "failure",
      causedBy: "a",
      reason: "Step a failed: boom; its fallback also failed: Step b failed: boom",
    });
  });

  it("causes the step's dependents to be skipped when it cannot run or its condition is false", () => {
    const lost = [step("s"), step("a", [], { fallback: "b" }), step("b", ["s"]), step("end", ["a"])];
    const early = recorded(after(submitted(lost), failed("s")));
    expect(stateOf(early, "b").status).toBe("skipped");
    expect(stateOf(recorded(andAfter(early, failed("a"))), "end").status).toBe("skipped");
    const late = recorded(after(submitted(lost), failed("a"), failed("s")));
    expect(stateOf(late, "end")).toMatchObject({ status: "skipped", because: "a" });
    const passed = [
      step("s"),
      step("a", [], { fallback: "b" }),
      step("b", [], { when: "s.output > 1" }),
      step("end", ["a"]),
    ];
    const plan = recorded(after(submitted(passed), succeeded("s", 1), failed("a")));
    expect(stateOf(plan, "b")).toMatchObject({ status: "skipped", passedOver: true });
    expect(stateOf(plan, "end")).toMatchObject({ status: "skipped", because: "a" });
  });

  it("is not missing in the answer when it was not needed, nor is the step that it replaced", () => {
    const steps = [step("s"), step("a", [], { fallback: "b" }), step("b", ["s"]), step("end", ["a"])];
    const lost = recorded(after(submitted(steps), failed("s"), succeeded("a"), succeeded("end", "x")));
    expect(lost.conclusion?.answer?.text).not.toContain("did not run");
    const ended = after(submitted(PAIR), failed("a"), succeeded("b"), succeeded("end", "x"));
    expect(ended.conclusion?.answer?.text).toBe("x");
  });

  it("gives the plan's answer when it replaces the step that was to give it", () => {
    const plan = after(
      submitted(undefined, { plan: { steps: PAIR.slice(0, 2), answerFrom: "a" } }),
      failed("a"),
      succeeded("b", "instead"),
    );
    expect(plan.conclusion?.answer).toMatchObject({ text: "instead", sources: ["b"] });
  });

  it("waits while its plan is paused", () => {
    const paused = after(submitted(PAIR), pauseRequested(), failed("a"));
    expect(stateOf(paused, "b")).toMatchObject({ status: "waiting", for: "resume" });
    expect(idsOf(andAfter(paused, resumeRequested()))).toEqual(["b"]);
  });

  it("ends when its plan ends", () => {
    const plan = after(submitted(PAIR), cancelRequested());
    expect([stateOf(plan, "a").status, stateOf(plan, "b").status]).toEqual(["cancelled", "cancelled"]);
    expect(kindsOf(plan)).toEqual(["stop", "plan.ended"]);
  });

  it("belongs to the first step that names it, and to no other", () => {
    const steps = [step("a", [], { fallback: "c" }), step("b", [], { fallback: "c" }), step("c")];
    const plan = recorded(after(submitted([...steps, step("end", ["b"])]), failed("b")));
    expect(stateOf(plan, "end")).toMatchObject({ status: "skipped", because: "b" });
    expect(stateOf(plan, "c")).toMatchObject({ status: "waiting", for: "primary" });
  });
});

describe("a fallback of a draft", () => {
  const draft = [submitted(), draftStarted()];

  it("may be named before it is planned, and runs immediately if the step has failed by then", () => {
    const plan = after(...draft, planned(step("a", [], { fallback: "b" })), failed("a"));
    expect(stateOf(plan, "a").status).toBe("failed");
    expect(plan.unskipped.size).toBe(0);
    const added = andAfter(plan, planned(step("b"), { index: 1 }));
    expect(idsOf(added)).toEqual(["b"]);
  });

  it("is awaited only until the draft ends if it is never planned", () => {
    const plan = after(
      ...draft,
      planned(step("a", [], { fallback: "b" })),
      planned(step("end", ["a"]), { index: 1 }),
      failed("a"),
      sealed(),
    );
    expect(stateOf(recorded(plan), "end")).toMatchObject({ status: "skipped", because: "a" });
    const lost = after(...draft, planned(step("a", [], { fallback: "b" })), failed("a"), abandoned());
    expect(stepOf(lost, "a")).toMatchObject({ standIn: "none", replaced: true });
  });

  it("is skipped only once the draft is complete", () => {
    const steps = [planned(step("a", [], { fallback: "b" })), planned(step("b"), { index: 1 })];
    const plan = after(...draft, ...steps, succeeded("a"));
    expect(stateOf(plan, "a")).toMatchObject({ status: "reviewing", for: "draft" });
    const complete = recorded(andAfter(plan, sealed()));
    expect(stateOf(complete, "a").status).toBe("succeeded");
    expect(stateOf(complete, "b")).toMatchObject({ status: "skipped", passedOver: true });
  });
});

describe("a dead-lettered step", () => {
  it("is not retried once its fallback has begun", () => {
    const plan = after(submitted(PAIR), givenUp("a"));
    expect(evolve(plan, redriveRequested("a"))).toBe(plan);
  });

  it("restores the dependents of the step that it replaces when it is retried as a fallback", () => {
    const plan = recorded(after(submitted([...PAIR, step("other")]), failed("a"), givenUp("b")));
    expect(stateOf(plan, "end").status).toBe("skipped");
    const redriven = andAfter(plan, redriveRequested("b"));
    expect(stateOf(redriven, "end")).toMatchObject({ status: "waiting", for: "dependencies" });
    expect(stateOf(andAfter(redriven, succeeded("b", 2, 2)), "end").status).toBe("running");
  });

  it("is retried when its fallback could not run", () => {
    const steps = [step("s"), step("a", [], { fallback: "b" }), step("b", ["s"]), step("end", ["a"])];
    const plan = recorded(after(submitted([...steps, step("other")]), failed("s"), givenUp("a")));
    expect(stateOf(plan, "end").status).toBe("skipped");
    const redriven = andAfter(plan, redriveRequested("a"), succeeded("a", 1, 2));
    expect(stateOf(redriven, "end").status).toBe("running");
  });
});

it("skips a verification for each item of a list when another verification refuses before the items are recorded", () => {
  const each = step("each", [], { verifies: "a", forEach: { $ref: "a.output" } });
  const steps = [step("a", [], { fallback: "b" }), step("b"), step("check", [], { verifies: "a" }), each];
  const refused = after(submitted(steps), succeeded("a", [1, 2]), failed("check"));
  const late = andAfter(refused, fact("step.expanded", { stepId: "each", items: 2 }));
  const pass = { stepIds: ["each"], because: "a", reason: "nothing to verify: a failed", passedOver: true };
  expect(decideNext(refused)).toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ type: "step.skipped", data: pass }) }),
  );
  const plan = andAfter(late, fact("step.skipped", pass), succeeded("b", 1));
  expect(plan.conclusion).toMatchObject({ outcome: "succeeded" });
});

describe("a plan with linked steps that a user edits before it runs", () => {
  const asked = [
    submitted([...PAIR, step("check", [], { verifies: "a" })], {
      approval: { plan: true, risk: "never", expiresAfterMs: 60_000 },
    }),
  ];
  const approved = (steps: readonly object[]) => {
    const plan = recorded(after(...asked));
    const edits = { edits: { steps }, grants: { "flow.echo": GRANTS["flow.echo"] } };
    return andAfter(plan, approvalDecided("plan-0", "approve", edits));
  };

  it("runs the remaining steps without the removed links", () => {
    const plan = approved([step("b"), step("end", ["b"])]);
    expect(idsOf(plan)).toEqual(["b"]);
    expect(stateOf(plan, "a").status).toBe("cancelled");
    expect(plan.standIns.size).toBe(0);
  });

  it("keeps the links between the remaining steps", () => {
    const plan = approved([...PAIR, step("check", [], { verifies: "a" })]);
    expect(idsOf(plan)).toEqual(["a"]);
    expect(stepOf(plan, "a").verifiedBy).toEqual(["check"]);
    const refused = andAfter(plan, succeeded("a"), succeeded("check", false));
    expect(idsOf(refused)).toEqual(["b"]);
  });
});

describe("a revision", () => {
  const revising = [
    submitted([...PAIR, step("bad"), step("check", [], { verifies: "a" })], { replanOnFailure: true }),
    failed("bad"),
    draftStarted(1),
  ];

  it("skips the fallback of a step that it drops, unless it drops both", () => {
    const plan = recorded(after(...revising, revised(1, { kept: ["b"], dropped: ["a", "end", "check"] })));
    expect(stateOf(plan, "a").status).toBe("cancelled");
    expect(stateOf(plan, "b")).toMatchObject({ status: "skipped", reason: "not needed: a was cancelled" });
    const both = after(...revising, revised(1, { dropped: ["a", "b", "end", "check"] }));
    expect(stateOf(both, "b").status).toBe("cancelled");
  });

  it("leaves the failed step replaced when it drops its running fallback, and causes no other revision", () => {
    const plan = after(
      submitted([...PAIR, step("bad")], { replanOnFailure: true }),
      failed("a"),
      failed("bad"),
      draftStarted(1),
      revised(1, { dropped: ["a", "b", "end"] }),
    );
    expect(stepOf(plan, "a")).toMatchObject({ standIn: "none", replaced: true });
    expect(plan.drafting.phase).toBe("sealed");
  });
});
