// Plans that repeatedly ask users for more budget, and how much a decision raises which limit.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  AT,
  decideNext,
  kindsOf,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { PlanEvent } from "../../events/plan-event.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const goal = (ids: readonly string[], budget: object, tool = "flow.echo") =>
  submitted(
    ids.map((id, index) => step(id, index === 0 ? [] : [ids[index - 1] ?? ""], { tool })),
    { budget: { onExhausted: "ask", ...budget } },
  );
function asked(plan: KnownPlan): KnownPlan {
  const [command] = decideNext(plan).filter(({ kind }) => kind === "record");
  if (command?.kind !== "record" || command.event.type !== "approval.requested") {
    throw new Error("nobody is asked");
  }
  return andAfter(plan, PlanEvent.parse({ ...command.event, at: AT }));
}
const decided = (asks: number, edits?: object) =>
  approvalDecided(`budget-${asks}`, "approve", edits === undefined ? {} : { edits });

describe("a budget that is raised", () => {
  it("can be reached repeatedly, until the plan has asked as often as it may", () => {
    const ids = Array.from({ length: 24 }, (_, index) => `s${index}`);
    let plan = after(goal(ids, { steps: 1 }));
    for (let asks = 1; asks <= 20; asks++) {
      plan = andAfter(plan, succeeded(`s${asks - 1}`));
      plan = andAfter(asked(plan), decided(asks));
    }
    expect(viewOf(plan, 0).budget).toMatchObject({ limit: { steps: 21 }, used: { steps: 21 } });
    const over = andAfter(plan, succeeded("s20"));
    expect(over.conclusion).toMatchObject({ reason: expect.stringContaining("the budget of 21 steps") });
  });

  it("allows the draft that it was too small for", () => {
    const plan = asked(after(submitted(undefined, { budget: { tokens: 50, onExhausted: "ask" } })));
    expect(kindsOf(plan)).not.toContain("draft");
    expect(kindsOf(andAfter(plan, decided(1, { tokens: 100_000 })))).toContain("draft");
  });

  it("allows the synthesis that it was too small for", () => {
    const usage = { modelCalls: 1, inputTokens: 1_002, outputTokens: 0, costUsd: 0 };
    const steps = ["a", "b"].map((id) => step(id, [], { tool: "model.write" }));
    const goal = submitted(steps, { budget: { tokens: 2_050, onExhausted: "ask" } });
    const spent = after(goal, succeeded("a", 1, 1, { usage }), succeeded("b", 1, 1, { usage }));
    expect(kindsOf(spent)).not.toContain("join");
    expect(kindsOf(andAfter(asked(spent), decided(1)))).toContain("join");
  });

  it("is raised by its initial amount when the requested amount is invalid", () => {
    const plan = asked(andAfter(after(goal(["a", "b"], { steps: 1 })), succeeded("a")));
    const raised = andAfter(plan, decided(1, { steps: "many" }));
    expect(viewOf(raised, 0).budget).toMatchObject({ limit: { steps: 2 } });
  });

  it("is raised in dollars by its initial amount, or by the amount that the user chose", () => {
    const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0.03 };
    const plan = asked(
      andAfter(
        after(
          goal(["a", "b"], { usd: 0.03, usdPerToken: { input: 0.00001, output: 0.00001 } }, "model.write"),
        ),
        succeeded("a", 1, 1, { usage }),
      ),
    );
    expect(viewOf(andAfter(plan, decided(1)), 0).budget).toMatchObject({ limit: { usd: 0.06 } });
    expect(viewOf(andAfter(plan, decided(1, { usd: 0.5 })), 0).budget).toMatchObject({
      limit: { usd: 0.53 },
    });
  });

  it("gets more seconds in addition to the limit that was reached, counted from its earlier deadline", () => {
    const plan = asked(andAfter(after(goal(["a", "b"], { steps: 1, seconds: 60 })), succeeded("a")));
    const raised = andAfter(plan, decided(1, { steps: 1, seconds: 30 }));
    expect(raised.budget).toMatchObject({
      limit: { steps: 2, seconds: 90 },
      deadline: { timer: "budget-2", at: "2026-01-01T00:01:30.000Z" },
    });
  });

  it("gets no limit that it did not have before", () => {
    const plan = asked(andAfter(after(goal(["a", "b"], { steps: 1 })), succeeded("a")));
    const raised = andAfter(plan, decided(1, { steps: 1, seconds: 30, tokens: 5, usd: 1 }));
    expect(raised.budget?.limit).toEqual({ steps: 2 });
  });

  it("remains reached when its time ran out in the meantime", () => {
    const plan = asked(andAfter(after(goal(["a", "b"], { steps: 1, seconds: 60 })), succeeded("a")));
    const late = andAfter(plan, timerFired("budget-1"), decided(1));
    expect(late.budget).toMatchObject({ exhausted: "seconds", limit: { steps: 2, seconds: 60 } });
  });
});
