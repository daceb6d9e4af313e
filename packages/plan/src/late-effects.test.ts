// Effects of which a worker tells only after its step was given up: the ended plan names them, and another one undoes them.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  fact,
  interrupted,
  kindsOf,
  ONCE,
  planEnded,
  started,
  step,
  submitted,
  succeeded,
} from "../test/facts.ts";
import { decide } from "./decide.ts";
import type { PlanEvent } from "./events/plan-event.ts";
import { evolve } from "./evolve.ts";
import { followUpGoal, lateEffectsOf } from "./late-effects.ts";
import { viewOf } from "./plan-view.ts";
import type { KnownPlan } from "./state/plan-state.ts";

const BOOKED = { value: { booking: 7 } };
const BOOK = {
  tool: "mail.send",
  compensate: { tool: "mail.send", args: { cancel: { $ref: "book.output.booking" }, for: "{{who.output}}" } },
};
const WHO = [
  submitted([step("who"), step("book", ["who"], BOOK)], { grants: { "flow.echo": ONCE, "mail.send": ONCE } }),
];

/** A plan that was cancelled while its step acted, and whose worker was not heard of in time. */
function givenUp(...first: PlanEvent[]): KnownPlan {
  const begun = after(
    ...WHO,
    started("who"),
    succeeded("who", "Ann"),
    started("book"),
    ...first,
    cancelRequested(),
  );
  expect(begun.stopping).toBe(1);
  const late = { timer: begun.watch?.timer ?? "none", deadline: begun.watch?.deadline };
  return andAfter(begun, fact("timer.fired", late));
}

const end = (plan: KnownPlan): PlanEvent => {
  const command = decide(plan).find(({ kind }) => kind === "record");
  if (command?.kind !== "record") throw new Error("wanted the plan's end");
  return fact(command.event.type, command.event.data);
};

describe("an effect whose outcome comes after the plan's end", () => {
  it("is named by the end as unknown, and then followed up by a plan that compensates it", () => {
    const plan = givenUp();
    expect(kindsOf(plan)).toContain("plan.ended");
    const ended = andAfter(plan, end(plan));
    const view = viewOf(ended, 0);
    expect(view.reason).toBe("not needed; unknown whether these took effect: book (mail.send)");
    expect(view.effects.at(-1)).toMatchObject({ stepId: "book", status: "unknown" });
    expect(lateEffectsOf(ended)).toEqual([]);

    const known = andAfter(ended, succeeded("book", BOOKED.value));
    const [late] = lateEffectsOf(known);
    if (late === undefined) throw new Error("wanted a late effect");
    expect(late.resolved).toEqual({ args: { cancel: 7, for: "Ann" } });
    expect(viewOf(known, 0).effects.at(-1)).toMatchObject({ status: "done", followedUpBy: late.followUp });
    expect(viewOf(known, 0)).toMatchObject({ status: "cancelled", seq: view.seq });

    const goal = followUpGoal(known, late, { cancel: 7, for: "Ann" });
    expect(goal).toMatchObject({ planId: late.followUp, data: { undoes: { planId: "p1", stepId: "book" } } });
    const undoing = after(fact(goal.type, goal.data));
    const [run] = decide(undoing);
    expect(run).toMatchObject({
      work: { stepId: "undo", tool: "mail.send", args: { cancel: 7, for: "Ann" } },
    });
  });

  it("is followed up once the plan has ended when it comes before the end, and only then", () => {
    const known = andAfter(givenUp(), succeeded("book", BOOKED.value));
    expect(lateEffectsOf(known)).toEqual([]);
    expect(lateEffectsOf(andAfter(known, planEnded("cancelled")))).toHaveLength(1);
  });

  it("is put to a person when its compensation cannot be prepared", () => {
    const ended = andAfter(givenUp(), planEnded("cancelled"));
    const known = andAfter(ended, succeeded("book", "no booking"));
    const [late] = lateEffectsOf(known);
    if (late === undefined) throw new Error("wanted a late effect");
    expect(late.resolved).toHaveProperty("fault");
    const { data } = followUpGoal(known, late, undefined);
    expect(data.plan?.steps).toMatchObject([
      { tool: "human.ask", args: { question: expect.stringContaining("book") } },
    ]);
  });

  it.each([{ cancel: { $ref: "secret.output" } }, { cancel: "{{secret.output}}" }])(
    "is put to a person when what the step returned looks like a reference: %j",
    (args) => {
      const known = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", BOOKED.value));
      const [late] = lateEffectsOf(known);
      if (late === undefined) throw new Error("wanted a late effect");
      expect(followUpGoal(known, late, args).data.plan?.steps.map(({ tool }) => tool)).toEqual(["human.ask"]);
    },
  );

  it("is put to a person when nobody knows whether it happened", () => {
    const known = andAfter(givenUp(), planEnded("cancelled"), interrupted("book"));
    const [late] = lateEffectsOf(known);
    if (late === undefined) throw new Error("wanted a late effect");
    const question = expect.stringContaining("nobody knows whether it took effect");
    expect(followUpGoal(known, late, undefined).data.plan?.steps).toMatchObject([{ args: { question } }]);
  });

  it("is followed up once, however often the outcome comes", () => {
    const known = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", BOOKED.value));
    expect(evolve(known, succeeded("book", BOOKED.value))).toBe(known);
    expect(new Set(lateEffectsOf(known).map(({ followUp }) => followUp)).size).toBe(1);
  });
});

it("is undone in its own plan when the outcome comes in time", () => {
  const begun = after(...WHO, started("who"), succeeded("who", "Ann"), started("book"), cancelRequested());
  const undoing = andAfter(begun, succeeded("book", BOOKED.value));
  expect(kindsOf(undoing)).toContain("run");
  expect(lateEffectsOf(andAfter(undoing, planEnded("cancelled")))).toEqual([]);
});
