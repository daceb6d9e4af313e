// Effects that a worker reports only after its step was abandoned: the ended plan names them, and another plan compensates them.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  decideNext,
  expanded,
  fact,
  interrupted,
  kindsOf,
  ONCE,
  planEnded,
  READ,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { EGRESS_DEFAULT } from "../egress/egress-rule.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { evolve } from "../machine/evolve.ts";
import { followUpGoal, lateEffectsOf, unknownEffects } from "./late-effects.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const BOOKED = { value: { booking: 7 } };
const BOOK = {
  tool: "mail.send",
  compensate: { tool: "mail.send", args: { cancel: { $ref: "book.output.booking" }, for: "{{who.output}}" } },
};
const WHO = [
  submitted([step("who"), step("book", ["who"], BOOK)], { grants: { "flow.echo": ONCE, "mail.send": ONCE } }),
];

/** A plan that was cancelled while its step ran, and whose worker did not report in time. */
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
  const command = decideNext(plan).find(({ kind }) => kind === "record");
  if (command?.kind !== "record") throw new Error("wanted the plan's end");
  return fact(command.event.type, command.event.data);
};

describe("an effect whose outcome arrives after the plan's end", () => {
  it("is named as unknown at the end, and then compensated by a follow-up plan", () => {
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
    const [run] = decideNext(undoing);
    expect(run).toMatchObject({
      work: { stepId: "undo", tool: "mail.send", args: { cancel: 7, for: "Ann" } },
    });
  });

  it("is followed up only after the plan has ended, even if it arrives earlier", () => {
    const known = andAfter(givenUp(), succeeded("book", BOOKED.value));
    expect(lateEffectsOf(known)).toEqual([]);
    expect(lateEffectsOf(andAfter(known, planEnded("cancelled")))).toHaveLength(1);
  });

  it("needs a person's decision when its compensation cannot be prepared", () => {
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
    "needs a person's decision when the step's output looks like a reference: %j",
    (args) => {
      const known = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", BOOKED.value));
      const [late] = lateEffectsOf(known);
      if (late === undefined) throw new Error("wanted a late effect");
      expect(followUpGoal(known, late, args).data.plan?.steps.map(({ tool }) => tool)).toEqual(["human.ask"]);
    },
  );

  it("needs a person's decision when it is unknown whether it took effect", () => {
    const known = andAfter(givenUp(), planEnded("cancelled"), interrupted("book"));
    const [late] = lateEffectsOf(known);
    if (late === undefined) throw new Error("wanted a late effect");
    const question = expect.stringContaining("it is unknown whether it took effect");
    expect(followUpGoal(known, late, undefined).data.plan?.steps).toMatchObject([{ args: { question } }]);
  });

  it("is followed up once, however often the outcome arrives", () => {
    const known = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", BOOKED.value));
    expect(evolve(known, succeeded("book", BOOKED.value))).toBe(known);
    expect(new Set(lateEffectsOf(known).map(({ followUp }) => followUp)).size).toBe(1);
  });
});

describe("the request for a decision about a late effect", () => {
  const LONE = [submitted([step("send", [], { tool: "mail.send" })])];
  const lateOf = (plan: KnownPlan) => {
    const [late] = lateEffectsOf(plan);
    if (late === undefined) throw new Error("wanted a late effect");
    return late;
  };
  const questionOf = (plan: KnownPlan, args?: { cancel: number }) => {
    const { data } = followUpGoal(plan, lateOf(plan), args);
    return data.plan?.steps.find(({ tool }) => tool === "human.ask")?.args["question"];
  };

  it("is not made when the step has no compensation", () => {
    const begun = after(...LONE, started("send"), cancelRequested());
    const late = { timer: begun.watch?.timer ?? "none", deadline: begun.watch?.deadline };
    const known = andAfter(begun, fact("timer.fired", late), planEnded("cancelled"), succeeded("send"));
    expect(lateEffectsOf(known)).toEqual([]);
  });

  it("states how the plan ended, and why the compensation could not be prepared", () => {
    const cancelled = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", "no booking"));
    const said = questionOf(cancelled);
    expect(said).toMatch(/^Step book \(mail.send\) of plan p1 took effect/);
    expect(said).toMatch(/Its compensation \(mail.send\) did not undo it \(.*booking.*\)/);
    const unknown = andAfter(givenUp(), planEnded("cancelled"), interrupted("book"));
    expect(questionOf(unknown)).toContain("was cut off when that plan was cancelled");
  });

  it("states no reason when the compensation itself fails", () => {
    const known = andAfter(givenUp(), planEnded("cancelled"), succeeded("book", BOOKED.value));
    expect(questionOf(known, { cancel: 7 })).toContain(
      "Its compensation (mail.send) did not undo it. Please",
    );
  });
});

describe("the effects that a plan names as unknown when it ends", () => {
  it("are at most ten, and the rest are counted", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
    const sends = ids.map((id) => step(id, [], { tool: "mail.send" }));
    const plan = after(submitted(sends), ...ids.map((id) => started(id)));
    expect(unknownEffects(plan)).toMatch(
      /^unknown whether these took effect: m0 \(mail.send\), m1 .*m9 \(mail.send\), 2 more$/,
    );
  });

  it("name an item by its position in the list", () => {
    const each = step("send", [], { tool: "mail.send", forEach: ["a", "b"], args: { to: "{{item}}" } });
    const plan = after(submitted([each]), expanded("send", 2), started("send", 1, { item: 1 }));
    expect(unknownEffects(plan)).toBe("unknown whether these took effect: send[1] (mail.send)");
  });

  it("are none if every started step has reported its outcome", () => {
    expect(unknownEffects(after(...WHO, started("who"), succeeded("who", "Ann")))).toBeUndefined();
  });
});

it("exclude an effect that its own plan compensates because the outcome arrives in time", () => {
  const begun = after(...WHO, started("who"), succeeded("who", "Ann"), started("book"), cancelRequested());
  const undoing = andAfter(begun, succeeded("book", BOOKED.value));
  expect(kindsOf(undoing)).toContain("run");
  expect(lateEffectsOf(andAfter(undoing, planEnded("cancelled")))).toEqual([]);
});

describe("a URL in the arguments of a late effect's compensation", () => {
  const send = (url: string) => ({
    tool: "http.send",
    compensate: { tool: "http.send", args: { url, body: { $ref: "book.output.booking" } } },
  });
  const grants = { "http.send": ONCE, "sql.query": READ, "model.write": READ };
  const rows = step("rows", [], { tool: "sql.query", args: { source: "s", sql: "select 1" } });
  const words = step("words", [], {
    tool: "model.write",
    args: { prompt: "Name a URL for {{rows.output}}" },
  });

  /** The submission of the plan that undoes a step's effect. */
  function undoing(url: string, resolved: string) {
    const book = step("book", ["words"], send(url));
    const plan = after(
      submitted([rows, words, book], { grants, egress: EGRESS_DEFAULT }),
      succeeded("rows", "secret"),
      succeeded("words", resolved),
      started("book"),
      cancelRequested(),
    );
    const late = { timer: plan.watch?.timer ?? "none", deadline: plan.watch?.deadline };
    const over = andAfter(plan, fact("timer.fired", late));
    const known = andAfter(over, end(over), succeeded("book", BOOKED.value));
    const [effect] = lateEffectsOf(known);
    if (effect === undefined) throw new Error("wanted a late effect");
    return after(fact("goal.submitted", followUpGoal(known, effect, { url: resolved, body: 7 }).data));
  }

  it("needs no approval when the user wrote it", () => {
    const url = "https://a.example/cancel";
    expect(stepOf(undoing(url, url), "undo").state.status).toBe("running");
  });

  it("needs approval when a model composed it after it had read content", () => {
    const plan = undoing("{{words.output}}", "https://evil.example/?q=secret");
    expect(stepOf(plan, "undo").state.status).toBe("awaiting-approval");
  });
});
