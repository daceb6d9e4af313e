// Drafts by a model that are so large that the plan needs approval.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  draftStarted,
  expanded,
  fact,
  failed,
  faltered,
  known,
  planned,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { accepts, evolve } from "../evolve.ts";
import { LIMITS } from "../../values/limits.ts";
import { gatedSteps, stepsBeside } from "./plan-gate.ts";
import type { KnownPlan, Plan } from "../plan-state.ts";

const MAX = LIMITS.unapprovedStepsMax;
const SIZE = { unapprovedStepsMax: MAX };
const ids = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

/** An open draft with this many steps: `s1` needs `s0`, the others need nothing. */
function drafted(count: number, goal: PlanEvent = submitted(undefined, SIZE)): KnownPlan {
  let plan: Plan = after(goal, draftStarted());
  for (const id of ids(count)) plan = evolve(plan, planned(step(id, id === "s1" ? ["s0"] : [])));
  return known(plan);
}

function asked(plan: KnownPlan): PlanEvent {
  const [command] = decide(plan, [{ kind: "plan-approval" }]);
  if (command?.kind !== "record") throw new Error("nothing is asked");
  return fact(command.event.type, command.event.data);
}

const waitingFor = (plan: KnownPlan, reason: string) =>
  [...plan.steps.values()].filter(({ state }) => state.status === "waiting" && state.for === reason).length;

describe("a draft with more steps than can run without approval", () => {
  it("starts no step beyond the limit, and none once the draft is complete", () => {
    const full = drafted(MAX);
    expect([full.inFlight, waitingFor(full, "draft")]).toEqual([MAX - 1, 0]);
    const large = andAfter(drafted(MAX + 40), succeeded("s0"));
    // s1, whose dependency has only now succeeded, and the 40 steps beyond the limit.
    expect([large.inFlight, waitingFor(large, "draft")]).toEqual([MAX - 2, 41]);
    const complete = andAfter(large, sealed());
    expect([complete.inFlight, waitingFor(complete, "approval")]).toEqual([MAX - 2, 41]);
    expect(worksOf(complete)).toEqual([]);
  });

  it("explains why it waits", () => {
    expect(asked(andAfter(drafted(MAX + 40), sealed())).data).toMatchObject({
      approvalId: "plan-1",
      kind: "plan",
      question:
        "May this plan of 41 steps run? None of them changes anything. The draft has 140 steps; plans above 100 steps need approval.",
    });
  });

  it("lets running steps finish, retrying them if they need it", () => {
    const complete = andAfter(drafted(MAX + 1), sealed());
    expect(accepts(complete, succeeded("s0"))).toBe(true);
    const again = andAfter(complete, faltered("s2"), timerFired("retry-s2-0-2"));
    expect(stepOf(again, "s2").state).toMatchObject({ status: "running", attempt: 2 });
    expect(stepOf(andAfter(complete, succeeded("s0")), "s1").state).toMatchObject({ for: "approval" });
    expect(stepOf(andAfter(complete, failed("s3")), "s3").state.status).toBe("failed");
  });

  it("runs once it is approved", () => {
    const complete = andAfter(drafted(MAX + 1), sealed());
    const approved = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve"));
    expect(approved.inFlight).toBe(MAX);
    expect(waitingFor(approved, "approval")).toBe(0);
  });

  it("requests approval again for a step that was approved before it was edited, and then runs it", () => {
    const goal = submitted(undefined, {
      unapprovedStepsMax: 1,
      approval: { risk: "low", expiresAfterMs: 60_000 },
    });
    const first = after(goal, draftStarted(), planned(step("a")));
    const complete = andAfter(
      first,
      approvalRequested(first, "a"),
      planned(step("b")),
      approvalDecided("risk-a-0", "approve"),
      sealed(),
    );
    const edits = { steps: [step("a", [], { description: "changed" }), step("b")] };
    const edited = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve", { edits }));
    expect(stepOf(edited, "a").state).toMatchObject({
      status: "awaiting-approval",
      approvalId: "risk-a-0-again",
    });
    const again = andAfter(
      edited,
      approvalRequested(edited, "a"),
      approvalDecided("risk-a-0-again", "approve"),
    );
    expect(stepOf(again, "a").state.status).toBe("running");
  });

  it("starts no item of a list that became known when the draft was already large, until it is approved", () => {
    const each = step("each", [], { forEach: [1, 2], args: { value: { $ref: "item" } } });
    const open = andAfter(after(submitted(undefined, SIZE), draftStarted()), planned(each));
    let plan: Plan = open;
    for (const id of ids(MAX)) plan = evolve(plan, planned(step(id)));
    const large = andAfter(known(plan), expanded("each", 2));
    const complete = andAfter(large, sealed());
    const itemsOf = (at: KnownPlan) => [...at.items.values()].map(({ state }) => state.status);
    expect([itemsOf(large), itemsOf(complete)]).toEqual([
      ["waiting", "waiting"],
      ["waiting", "waiting"],
    ]);
    const approved = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve"));
    expect(itemsOf(approved)).toEqual(["running", "running"]);
    // Its list is in the log: it runs unchanged, whatever the reviewer does with the other steps.
    expect(gatedSteps(complete).map(({ step: { id } }) => id)).toEqual([`s${MAX - 1}`]);
    const edits = { steps: [step("other", ["each"])] };
    const edited = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve", { edits }));
    expect(itemsOf(edited)).toEqual(["running", "running"]);
  });

  it("requests approval when only the items of such a list are left", () => {
    const each = step("each", [], { forEach: [1, 2], args: { value: { $ref: "item" } } });
    let plan: Plan = andAfter(after(submitted(undefined, SIZE), draftStarted()), planned(each));
    for (const id of ids(MAX - 1)) plan = evolve(plan, planned(step(id)));
    plan = evolve(evolve(plan, planned(step("last", ["each"]))), expanded("each", 2));
    const complete = andAfter(known(plan), sealed());
    expect(complete.planGate).toBeDefined();
    const approved = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve"));
    expect([...approved.items.values()].map(({ state }) => state.status)).toEqual(["running", "running"]);
  });

  it("does not offer running steps for editing, and keeps them when others are edited", () => {
    const complete = andAfter(drafted(MAX + 2), sealed());
    expect(gatedSteps(complete).map(({ step: { id } }) => id)).toEqual(["s1", "s100", "s101"]);
    expect(stepsBeside(complete).taken.has("s0")).toBe(true);
    const edits = { steps: [{ id: "s1", tool: "flow.echo", dependsOn: ["s0"] }] };
    const edited = andAfter(complete, asked(complete), approvalDecided("plan-1", "approve", { edits }));
    expect(edited.inFlight).toBe(MAX - 1);
    expect(stepOf(edited, "s101").state.status).toBe("cancelled");
    expect(worksOf(andAfter(edited, succeeded("s0"))).map(({ stepId }) => stepId)).toEqual(["s1"]);
  });
});

describe("a plan that needs no approval because of its size", () => {
  it.each([
    ["has as many steps as may run", drafted(MAX)],
    ["is older than the limit", drafted(MAX + 1, submitted())],
  ])("%s", (_name, plan) => {
    expect(andAfter(plan, sealed()).planGate).toBeUndefined();
  });

  it("was submitted whole", () => {
    const plan = after(
      submitted(
        ids(MAX + 1).map((id) => step(id)),
        SIZE,
      ),
    );
    expect(plan).toMatchObject({ inFlight: MAX + 1 });
    expect(plan.planGate).toBeUndefined();
  });
});
