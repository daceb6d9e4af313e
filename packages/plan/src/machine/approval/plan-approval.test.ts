// Approval of whole plans, and of steps with a low confidence.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  cancelRequested,
  draftStarted,
  fact,
  failed,
  kindsOf,
  ONCE,
  pauseRequested,
  planned,
  READ,
  recorded,
  resumeRequested,
  revised,
  revisionRequested,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  submittedPlan,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { accepts } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const WHOLE = { plan: true, risk: "never", expiresAfterMs: 60_000 };
const statuses = (plan: KnownPlan): string[] =>
  [...plan.steps.values()].map(({ step: { id }, state }) => `${id} ${state.status}`);

/** The event that the dispatcher would store now. */
function asked(plan: KnownPlan): PlanEvent {
  const [command] = decide(plan, [{ kind: "plan-approval" }]);
  if (command?.kind !== "record") throw new Error("nothing is asked");
  return fact(command.event.type, command.event.data);
}

/** A submitted plan whose approval has been requested. */
function open(steps: readonly object[], more: object = {}): KnownPlan {
  const plan = after(submitted(steps, { approval: WHOLE, ...more }));
  return andAfter(plan, asked(plan));
}

describe("a plan that waits for approval", () => {
  it("starts no item of a list before it is approved, and all of them after that", () => {
    const each = step("e", [], { forEach: ["x", "y"], args: { value: "{{item}}" } });
    const writing = after(submitted(undefined, { approval: WHOLE }), draftStarted(), planned(each));
    const sealedPlan = andAfter(recorded(writing), sealed(1, { steps: 1 }));
    expect(sealedPlan.status).toBe("awaiting-approval");
    expect(worksOf(sealedPlan)).toEqual([]);
    const approved = andAfter(sealedPlan, asked(sealedPlan), approvalDecided("plan-1", "approve"));
    expect(worksOf(recorded(approved)).map(({ args }) => args["value"])).toEqual(["x", "y"]);
  });

  it("runs nothing before it is approved, and shows the question", () => {
    const plan = after(submitted([step("a"), step("b", ["a"])], { approval: WHOLE }));
    expect(plan).toMatchObject({ status: "awaiting-approval", inFlight: 0 });
    expect(kindsOf(plan)).toEqual(["approval.requested"]);
    expect(viewOf(plan, 0).steps[0]).toMatchObject({ status: "waiting", waitingFor: "approval" });
    expect(asked(plan).data).toMatchObject({
      approvalId: "plan-0",
      kind: "plan",
      question: "May this plan of 2 steps run? None of them changes anything.",
      details: { draft: 0, steps: 2, changing: 0 },
    });
    const waiting = andAfter(plan, asked(plan));
    expect(kindsOf(waiting)).toEqual(["schedule"]);
    for (const early of [started("a"), succeeded("a"), failed("a")])
      expect(accepts(waiting, early)).toBe(false);
    const approved = andAfter(waiting, approvalDecided("plan-0", "approve"));
    expect(worksOf(approved).map(({ stepId }) => stepId)).toEqual(["a"]);
  });

  it("binds the approval to the exact steps", () => {
    const hash = (value: number) =>
      asked(after(submitted([step("a", [], { args: { value } })], { approval: WHOLE }))).data;
    expect(hash(1)).toEqual(hash(1));
    expect(hash(1)).not.toEqual(hash(2));
  });

  it("runs as the reviewer edited it: with steps changed, removed and added", () => {
    const plan = open([step("a"), step("b", ["a"]), step("c", ["b"])]);
    const steps = [
      { id: "a", tool: "flow.echo", args: { value: "new" } },
      { id: "c", tool: "flow.echo", dependsOn: ["a"] },
      { id: "d", tool: "mail.send" },
    ];
    const grants = { "flow.echo": READ, "mail.send": ONCE };
    const edited = andAfter(
      plan,
      approvalDecided("plan-0", "approve", { edits: { steps, answerFrom: "c" }, grants }),
    );
    expect(statuses(edited).toSorted()).toEqual(["a running", "b cancelled", "c waiting", "d running"]);
    expect(worksOf(edited).map(({ stepId, args }) => [stepId, args])).toEqual([
      ["a", { value: "new" }],
      ["d", {}],
    ]);
    expect(stepOf(edited, "b").state).toMatchObject({ reason: "removed by ann" });
    expect(edited).toMatchObject({ answerFrom: "c", total: 3 });
    const done = andAfter(edited, succeeded("a"), succeeded("d"), succeeded("c", "the answer"));
    expect(done.conclusion).toMatchObject({ outcome: "succeeded", answer: { text: "the answer" } });
  });

  it("gives a tool without a policy the highest risk", () => {
    const plan = open([step("a")], { approval: { plan: true, expiresAfterMs: 60_000 } });
    const edits = { steps: [{ id: "x", tool: "rocket.launch" }] };
    const edited = andAfter(plan, approvalDecided("plan-0", "approve", { edits }));
    expect(stepOf(edited, "x")).toMatchObject({
      grant: { risk: "high", effect: "once" },
      state: { status: "awaiting-approval" },
    });
  });

  it("rejects edits that are not a plan", () => {
    const plan = open([step("a")]);
    expect(accepts(plan, approvalDecided("plan-0", "approve", { edits: { steps: [] } }))).toBe(false);
    expect(accepts(plan, approvalDecided("plan-0", "approve", { edits: { value: 1 } }))).toBe(false);
    const bad = { args: 5, dependsOn: [1], when: 1, forEach: { list: [] }, compensate: {}, unknown: true };
    for (const [field, value] of Object.entries(bad)) {
      const edits = { steps: [{ id: "x", tool: "flow.echo", [field]: value }] };
      expect([field, accepts(plan, approvalDecided("plan-0", "approve", { edits }))]).toEqual([field, false]);
    }
  });

  it.each([
    [
      "a person",
      approvalDecided("plan-0", "reject", { reason: "too dear" }),
      "the plan was rejected by ann: too dear",
    ],
    [
      "time",
      timerFired("approval-plan-0"),
      "the plan was rejected by timer: the approval expired without a decision",
    ],
  ])("ends without having run when rejected by %s", (_who, event, reason) => {
    const plan = andAfter(open([step("a"), step("b", ["a"])]), event);
    expect(plan.conclusion).toMatchObject({ outcome: "cancelled", reason });
    expect(statuses(plan)).toEqual(["a cancelled", "b cancelled"]);
    expect(kindsOf(plan)).toEqual(["plan.ended"]);
    expect(accepts(plan, approvalDecided("plan-0", "approve"))).toBe(false);
  });

  it("has nothing left to decide once it is cancelled, and accepts decisions while it is paused", () => {
    const cancelled = andAfter(open([step("a")]), cancelRequested());
    expect(viewOf(cancelled, 0).approvals).toMatchObject([{ status: "withdrawn" }]);
    expect(accepts(cancelled, approvalDecided("plan-0", "approve"))).toBe(false);
    const paused = andAfter(open([step("a")]), pauseRequested(), approvalDecided("plan-0", "approve"));
    expect(worksOf(paused)).toEqual([]);
    expect(worksOf(andAfter(paused, resumeRequested()))).toMatchObject([{ stepId: "a" }]);
  });
});

describe("a draft that needs approval", () => {
  const goal = submitted(undefined, { approval: WHOLE });

  it("starts no step while it is being written, nor when it is complete", () => {
    const writing = after(goal, draftStarted(), planned(step("a")));
    expect(worksOf(writing)).toEqual([]);
    expect(stepOf(writing, "a").state).toMatchObject({ for: "draft" });
    const complete = andAfter(writing, sealed());
    expect(stepOf(complete, "a").state).toMatchObject({ for: "approval" });
    expect(kindsOf(complete)).toEqual(["approval.requested"]);
    const approved = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve"));
    expect(worksOf(approved)).toMatchObject([{ stepId: "a" }]);
  });

  it("needs approval again when it is a revision, while steps approved before keep running", () => {
    const first = after(goal, draftStarted(), planned(step("a")), sealed());
    const done = andAfter(first, asked(first), approvalDecided("plan-1", "approve"), succeeded("a"));
    const again = andAfter(
      done,
      revisionRequested(1),
      draftStarted(2),
      planned(step("b", ["a"]), { draft: 2 }),
    );
    const complete = andAfter(again, revised(2, { added: ["b"] }));
    expect(statuses(complete)).toEqual(["a succeeded", "b waiting"]);
    expect(asked(complete).data).toMatchObject({
      approvalId: "plan-2",
      question: expect.stringContaining("revision of 1 step"),
    });
    const rejected = andAfter(complete, asked(complete), approvalDecided("plan-2", "reject"));
    expect(statuses(rejected)).toEqual(["a succeeded", "b cancelled"]);
    expect(viewOf(rejected, 0).answer).toMatchObject({ text: "so far" });
    const approved = andAfter(complete, asked(complete), approvalDecided("plan-2", "approve"));
    expect(worksOf(approved)).toMatchObject([{ stepId: "b" }]);
  });
});

describe("confidence", () => {
  const approval = { risk: "never", confidenceBelow: 0.7, expiresAfterMs: 60_000 };
  const unsure = (id: string, confidence: number | undefined) => step(id, [], { confidence });

  it("makes only the steps below the threshold wait", () => {
    const plan = after(submitted([unsure("a", 0.6), unsure("b", 0.7), unsure("c", undefined)], { approval }));
    expect(statuses(plan)).toEqual(["a awaiting-approval", "b running", "c running"]);
    const [question] = decide(plan, [{ kind: "approval", stepId: stepOf(plan, "a").step.id }]);
    expect(question).toMatchObject({
      event: { data: { approvalId: "confidence-a-0", kind: "confidence", details: { confidence: 0.6 } } },
    });
  });

  it("shares one approval with the tool's risk", () => {
    const step_ = step("a", [], { tool: "mail.send", confidence: 0.1 });
    const plan = after(submitted([step_], { approval: { ...approval, risk: "high" } }));
    expect(stepOf(plan, "a").state).toMatchObject({ approvalId: "risk-a-0" });
  });

  it("makes the whole plan wait if the plan's own is below the threshold", () => {
    const sure = after(submittedPlan({ steps: [step("a")], confidence: 0.7 }, { approval }));
    expect(worksOf(sure)).toHaveLength(1);
    const plan = after(submittedPlan({ steps: [step("a")], confidence: 0.69 }, { approval }));
    expect(kindsOf(plan)).toEqual(["approval.requested"]);
    const drafted = after(submitted(undefined, { approval }), draftStarted(), planned(step("a")));
    expect(worksOf(drafted)).toEqual([]);
    expect(kindsOf(andAfter(drafted, sealed(1, { confidence: 0.2 })))).toEqual(["approval.requested"]);
    expect(worksOf(andAfter(drafted, sealed(1, { confidence: 0.9 })))).toHaveLength(1);
  });
});
