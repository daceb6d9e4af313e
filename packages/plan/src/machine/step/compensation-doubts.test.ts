// Compensations with an unknown outcome, and plans in which many compensations fail.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  cancelRequested,
  decideNext,
  fact,
  failed,
  interrupted,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { PlanEvent } from "../../events/plan-event.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const undone = (event: PlanEvent): PlanEvent =>
  fact(event.type, { ...event.data, undo: true }, { id: `${event.id} undo` });
const compensate = { tool: "mail.send", args: {} };
const write = (id: string) => step(id, [], { tool: "files.write", compensate });
const undoing = after(
  submitted([write("a"), write("b")], { approval: { risk: "never" } }),
  succeeded("a"),
  succeeded("b"),
  cancelRequested(),
);
const stateOf = (plan: KnownPlan) => viewOf(plan, 0).compensations.map(({ status }) => status);
const questionIn = (plan: KnownPlan): PlanEvent => {
  const [command] = decideNext(plan).filter(({ kind }) => kind === "record");
  if (command?.kind !== "record") throw new Error("nobody is asked");
  return PlanEvent.parse({ ...command.event, at: "2026-01-01T00:00:00Z" });
};

/** The last one is compensated first. */
const lost = andAfter(undoing, undone(started("b")), undone(interrupted("b")));

describe("a compensation whose worker died", () => {
  it("asks a user whether it took effect", () => {
    expect(stateOf(lost)).toEqual(["awaiting-approval", "waiting"]);
    expect(questionIn(lost)).toMatchObject({
      type: "approval.requested",
      data: { approvalId: "unknown-b-undo-1", kind: "outcome-unknown", stepId: "b", undo: true },
    });
  });

  it("asks a user even when its start was not recorded", () => {
    const plan = andAfter(undoing, undone(interrupted("b")));
    expect(stateOf(plan)).toEqual(["awaiting-approval", "waiting"]);
    expect(questionIn(plan)).toMatchObject({ data: { approvalId: "unknown-b-undo-1" } });
  });

  it.each([
    ["happened", ["succeeded", "queued"]],
    ["reject", ["failed", "queued"]],
  ])("is over when the user decides %s, and the next one runs", (decision, states) => {
    const plan = andAfter(lost, questionIn(lost), approvalDecided("unknown-b-undo-1", decision));
    expect(stateOf(plan)).toEqual(states);
  });

  it("runs again when the user decides so", () => {
    const plan = andAfter(lost, questionIn(lost), approvalDecided("unknown-b-undo-1", "run-again"));
    expect(viewOf(plan, 0).compensations).toMatchObject([{ status: "queued", attempt: 2 }, {}]);
  });

  it("fails when the request for a decision expires", () => {
    const plan = andAfter(lost, questionIn(lost), timerFired("approval-unknown-b-undo-1"));
    expect(stateOf(plan)[0]).toBe("failed");
  });

  it("accepts a late outcome, but no second start or interruption", () => {
    for (const event of [undone(started("b")), undone(interrupted("b"))]) {
      expect(evolve(lost, event)).toBe(lost);
    }
    expect(stateOf(andAfter(lost, undone(succeeded("b"))))).toEqual(["succeeded", "queued"]);
  });
});

it("requests the decision about a compensation without its arguments when they cannot be resolved", () => {
  const nowhere = { tool: "mail.send", args: { to: { $ref: "a.output.to" } } };
  const plan = after(
    submitted([step("a", [], { tool: "files.write", compensate: nowhere }), step("b")], {
      approval: { risk: "never" },
    }),
    succeeded("a", 7),
    cancelRequested(),
    undone(interrupted("a")),
  );
  expect(questionIn(plan)).toMatchObject({ data: { stepId: "a", undo: true, args: {} } });
});

it("accepts the start of a later delivery, but not of an earlier one", () => {
  const begun = andAfter(undoing, undone(started("b", 1, { delivery: 2 })));
  expect(evolve(begun, undone(started("b", 1, { delivery: 1 })))).toBe(begun);
  const again = andAfter(begun, undone(started("b", 1, { delivery: 3, workerId: "w9" })));
  expect(again.compensations?.first()?.state).toMatchObject({ delivery: 3, workerId: "w9" });
});

it("names ten of the failed compensations, and counts the others", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const plan = after(submitted(ids.map(write)), ...ids.map((id) => succeeded(id)), cancelRequested());
  const over = ids.toReversed().reduce((one, id) => andAfter(one, undone(failed(id))), plan);
  expect(over.conclusion?.reason).toContain("12 of 12 compensations failed: s11 (boom), ");
  expect(over.conclusion?.reason).toMatch(/s2 \(boom\), 2 more$/);
});
