// Which budgets a submission can set, and how a plan handles one.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  AT,
  deadlineFired,
  decideNext,
  draftStarted,
  failed,
  faltered,
  joinAbandoned,
  newlyOwedTo,
  planned,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { Budget, type StoredBudget } from "../../language/budget.ts";
import { PlanEvent } from "../../events/plan-event.ts";
import { decide } from "../../decide/decide.ts";
import { owed } from "../../decide/owed.ts";
import type { KnownPlan } from "../plan-state.ts";
import { viewOf } from "../../view/plan-view.ts";

const write = (id: string, dependsOn: string[] = []) => step(id, dependsOn, { tool: "model.write" });
const budget = (limits: Partial<StoredBudget>) => ({ budget: { onExhausted: "end", ...limits } });
const used = (tokens: number, costUsd = 0) => ({
  usage: { modelCalls: 1, inputTokens: tokens, outputTokens: 0, costUsd },
});
const statuses = ({ steps }: KnownPlan): string[] =>
  [...steps.values()].map(({ step: { id }, state }) => `${id} ${state.status}`);
const worksOf = (plan: KnownPlan) =>
  decide(plan).flatMap((command) => ("work" in command ? [command.work] : []));

describe("a budget", () => {
  it.each([
    [{}, "at least one of tokens"],
    [{ onExhausted: "end" }, "at least one of tokens"],
    [{ tokens: 0 }, ">=1"],
    [{ tokens: -5 }, ">=1"],
    [{ tokens: 1.5 }, "int"],
    [{ tokens: 1e12 }, "<=1000000000"],
    [{ tokens: "many" }, "number"],
    [{ usd: 0 }, ">=0.000001"],
    [{ usd: -1 }, ">=0.000001"],
    [{ usd: 1e9 }, "<=1000000"],
    [{ seconds: 0 }, ">=1"],
    [{ seconds: 1e9 }, "<=2592000"],
    [{ steps: 0 }, ">=1"],
    [{ steps: Number.MAX_SAFE_INTEGER }, "<=1000000"],
    [{ steps: 1, onExhausted: "explode" }, "end"],
    [{ steps: 1, dollars: 3 }, "dollars"],
  ])("refuses %j", (body, why) => {
    const { success, error } = Budget.safeParse(body);
    expect(success).toBe(false);
    expect(error?.message).toContain(why);
  });

  it("ends the plan unless it says otherwise", () => {
    expect(Budget.parse({ tokens: 1 })).toEqual({ tokens: 1, onExhausted: "end" });
  });
});

describe("a token budget", () => {
  it("reserves tokens for as many steps as it can, and the others wait", () => {
    const plan = after(submitted([write("a"), write("b"), write("c"), step("d")], budget({ tokens: 2_500 })));
    expect(statuses(plan)).toEqual(["a running", "b running", "c waiting", "d running"]);
    expect(stepOf(plan, "c").state).toMatchObject({ for: "budget" });
    // A step that calls no model gets no allowance.
    expect(worksOf(plan).map(({ allowance }) => allowance?.maxTokens)).toEqual([1_002, 1_002, 0]);
    const settled = andAfter(plan, succeeded("a", 1, 1, used(100)));
    expect(statuses(settled)).toEqual(["a succeeded", "b running", "c running", "d running"]);
    expect(viewOf(settled, 0).budget).toMatchObject({
      limit: { tokens: 2_500 },
      used: { tokens: 100 },
      reserved: { tokens: 2_004 },
      remaining: { tokens: 396 },
      forfeited: { tokens: 0 },
    });
  });

  it("counts the whole reserve of an attempt whose worker never reported (BUDGET-2)", () => {
    const begun = after(submitted([write("a")], budget({ tokens: 10_000 })), started("a"));
    const held = viewOf(begun, 0).budget?.reserved.tokens ?? 0;
    expect(held).toBeGreaterThan(0);
    const expired = andAfter(begun, deadlineFired());
    const lost = { used: { tokens: held }, forfeited: { tokens: held }, reserved: { tokens: 0 } };
    expect(viewOf(expired, 0).budget).toMatchObject(lost);
    // The outcome arrives after all, but its usage has already been counted.
    expect(viewOf(andAfter(expired, succeeded("a", 1, 1, used(7))), 0).budget).toMatchObject(lost);
  });

  it("does not return the tokens of a lost worker, and the next attempt gets its own", () => {
    const plan = after(submitted([write("a")], budget({ tokens: 3_000 })));
    const lost = faltered("a", 1, { forfeited: { tokens: 1_002, usd: 0 } });
    const again = andAfter(plan, lost, timerFired("retry-a-0-2"));
    expect(worksOf(again)).toMatchObject([{ attempt: 2, allowance: { maxTokens: 1_002 } }]);
    expect(viewOf(again, 0).budget).toMatchObject({ used: { tokens: 1_002 }, forfeited: { tokens: 1_002 } });
  });

  it("gives a step a larger allowance at its next attempt after one that was too small", () => {
    const plan = after(submitted([write("a")], budget({ tokens: 50_000 })));
    const error = { code: "allowance_spent", message: "too little" };
    const again = andAfter(plan, faltered("a", 1, { error, ...used(900) }), timerFired("retry-a-0-2"));
    expect(worksOf(again)).toMatchObject([{ allowance: { maxTokens: 2_004 } }]);
  });

  it("ends the plan with its results when too little is left, once all reserves have been returned", () => {
    const plan = after(
      submitted([write("a"), write("b"), write("c", ["a"])], budget({ tokens: 2_050 })),
      succeeded("a", "the first half", 1, used(1_000)),
    );
    expect(statuses(plan)).toEqual(["a succeeded", "b running", "c waiting"]);
    const ended = andAfter(plan, succeeded("b", "the other", 1, used(1_002)));
    expect(statuses(ended)).toEqual(["a succeeded", "b succeeded", "c cancelled"]);
    expect(ended.conclusion).toMatchObject({
      outcome: "partial",
      reason:
        "the budget of 2,050 tokens is exhausted: 2,002 are used and 48 left, but step c needs about 1,018 (518 tokens to read and 500 to write)",
      answer: { status: "partial", sources: ["a", "b"] },
    });
    expect(ended.conclusion?.answer?.text).toContain("the first half");
    expect(decideNext(ended)).toMatchObject([{ kind: "record", event: { type: "answer.given" } }]);
  });

  it("reserves tokens for a draft before it is requested, and for the synthesis too", () => {
    const drafting = after(submitted(undefined, budget({ tokens: 100_000 })));
    expect(worksOf(drafting)).toMatchObject([{ draft: 1, allowance: { maxTokens: 65_536 } }]);
    const joining = andAfter(
      drafting,
      draftStarted(),
      planned(step("a")),
      planned(step("b"), { index: 1 }),
      sealed(1, used(60_000)),
      succeeded("a"),
      succeeded("b"),
    );
    expect(worksOf(joining)).toMatchObject([{ join: 1, allowance: { maxTokens: 40_000 } }]);
    // It was all that was left, and it was not enough.
    const ended = andAfter(joining, joinAbandoned(1, { cause: "allowance_spent", ...used(0) }));
    expect(ended.conclusion).toMatchObject({ outcome: "partial", answer: { status: "partial" } });
    expect(ended.conclusion?.reason).toBe(
      "the budget of 100,000 tokens is exhausted: 60,000 are used, and the remaining 40,000 was not enough for the review of the results, which needs about 65,536 (49,152 tokens to read and 16,384 to write)",
    );
  });

  it("ends the plan before any model call when it is too small for a draft", () => {
    const plan = after(submitted(undefined, budget({ tokens: 20 })));
    expect(plan.conclusion).toMatchObject({ outcome: "failed", answer: { status: "failed" } });
    expect(plan.conclusion?.reason).toContain("0 are used and 20 left, but the draft needs about 65,536");
    expect(worksOf(plan)).toEqual([]);
  });
});

describe("a dollar budget", () => {
  it("is reserved at the highest price, and charged at the actual cost", () => {
    const plan = after(
      submitted(
        [write("a"), write("b")],
        budget({ usd: 0.03, usdPerToken: { input: 0.00001, output: 0.00001 } }),
      ),
    );
    expect(worksOf(plan).map(({ allowance }) => allowance)).toEqual([
      { maxUsd: 0.01002 },
      { maxUsd: 0.01002 },
    ]);
    const settled = andAfter(plan, succeeded("a", 1, 1, used(500, 0.0021)));
    expect(viewOf(settled, 0).budget).toMatchObject({ used: { usd: 0.0021 }, reserved: { usd: 0.01002 } });
  });

  it("is reserved for input and output at their own prices, and the reason says so", () => {
    const prices = { input: 0.000_001, output: 0.000_01 };
    const plan = after(submitted([write("a")], budget({ usd: 0.03, usdPerToken: prices })));
    // 502 tokens to read, 500 to write.
    expect(worksOf(plan)).toMatchObject([{ allowance: { maxUsd: 0.005_502 } }]);
    const little = budget({ usd: 0.001, usdPerToken: prices });
    const refused = after(
      submitted([write("a"), write("b", ["a"])], little),
      succeeded("a", 1, 1, used(500, 0.000_95)),
    );
    expect(refused.conclusion?.reason).toBe(
      "the budget of $0.001 is exhausted: $0.00095 is used and $0.00005 left, but step b needs about $0.0055 at the highest token price (503 tokens to read and 500 to write)",
    );
  });

  it("counts the whole reserve as used when the cost is unknown", () => {
    const plan = after(
      submitted(
        [write("a"), step("b", ["a"])],
        budget({ usd: 0.03, usdPerToken: { input: 0.00001, output: 0.00001 } }),
      ),
    );
    const unknown = { usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: null } };
    expect(viewOf(andAfter(plan, succeeded("a", 1, 1, unknown)), 0).budget?.used.usd).toBe(0.01002);
  });
});

describe("a step budget", () => {
  it("counts each attempt that is sent", () => {
    const plan = after(submitted([step("a"), step("b"), step("c")], budget({ steps: 3 })), faltered("a"));
    expect(viewOf(plan, 0).budget).toMatchObject({ used: { steps: 3 }, remaining: { steps: 0 } });
    const ended = andAfter(plan, succeeded("b"), succeeded("c"), timerFired("retry-a-0-2"));
    expect(statuses(ended)).toEqual(["a cancelled", "b succeeded", "c succeeded"]);
    expect(ended.conclusion).toMatchObject({ reason: "the budget of 3 steps is exhausted" });
  });

  it("allows exactly the number of steps in its limit", () => {
    const plan = after(submitted([step("a"), step("b", ["a"])], budget({ steps: 2 })));
    expect(andAfter(plan, succeeded("a"), succeeded("b", "done")).conclusion).toMatchObject({
      outcome: "succeeded",
    });
  });

  it("does not end the plan when a permanent failure leaves nothing to send", () => {
    const plan = after(submitted([step("a"), step("b", ["a"])], budget({ steps: 1 })), failed("a"));
    expect(plan.conclusion).toBeUndefined();
    expect(decideNext(plan)).toMatchObject([{ kind: "record", event: { type: "step.skipped" } }]);
  });
});

describe("a time budget", () => {
  it("sets the plan's deadline, and ends the plan immediately when it is reached", () => {
    const plan = after(submitted([step("a"), step("b", [], { timeoutMs: 400 })], budget({ seconds: 2 })));
    expect(decideNext(plan)).toMatchObject([
      { kind: "run", work: { stepId: "a", timeoutMs: 1_000 } },
      { kind: "run", work: { stepId: "b", timeoutMs: 400 } },
      { kind: "schedule", timer: "budget-1", at: "2026-01-01T00:00:02.000Z" },
    ]);
    const ended = andAfter(plan, succeeded("b", "in time"), timerFired("budget-1"));
    expect(statuses(ended)).toEqual(["a cancelled", "b succeeded"]);
    expect(ended.conclusion).toMatchObject({
      reason: "the budget of 2 seconds is exhausted",
      answer: { status: "partial", sources: ["b"] },
    });
    expect(decideNext(ended).map(({ kind }) => kind)).toEqual(["stop", "record"]);
  });

  it("ends the plan once a stopped step with a possible effect has reported how it ended", () => {
    const compensate = { tool: "mail.send", args: {} };
    const mail = step("a", [], { tool: "files.write", compensate });
    const plan = after(submitted([mail, step("b")], budget({ seconds: 2 })), started("a"), succeeded("b"));
    const stopped = andAfter(plan, timerFired("budget-1"));
    expect(stopped).toMatchObject({ stopping: 1, conclusion: { outcome: "partial" } });
    expect(viewOf(stopped, 0).status).not.toBe("compensating");
    // Its worker may be lost: the end waits for it for a limited time.
    expect(decideNext(stopped).map(({ kind }) => kind)).toEqual(["stop", "schedule"]);
    const answer = expect.objectContaining({ kind: "record" });
    for (const due of [newlyOwedTo(stopped), owed(stopped)])
      expect(decide(stopped, due)).not.toContainEqual(answer);
    const told = andAfter(stopped, succeeded("a"));
    for (const due of [newlyOwedTo(told), owed(told)]) expect(decide(told, due)).toContainEqual(answer);
  });

  it("limits the time of each attempt", () => {
    const slow = step("a", [], { timeoutMs: 60_000 });
    expect(worksOf(after(submitted([slow], budget({ seconds: 5 }))))).toMatchObject([{ timeoutMs: 5_000 }]);
  });
});

describe("a budget that asks", () => {
  const asking = { onExhausted: "ask" } as const;
  const reached = () =>
    after(
      submitted([write("a"), write("b")], budget({ tokens: 1_500, ...asking })),
      succeeded("a", "one", 1, used(1_480)),
    );
  const question = (plan: KnownPlan) => {
    const [command] = decideNext(plan);
    if (command?.kind !== "record") throw new Error("nothing is asked");
    return PlanEvent.parse({ ...command.event, at: AT });
  };

  it("asks once for more, and starts no work in the meantime", () => {
    const plan = reached();
    expect(question(plan)).toMatchObject({
      type: "approval.requested",
      data: { approvalId: "budget-1", kind: "budget", details: { limit: "tokens", more: { tokens: 1_500 } } },
    });
    const asked = andAfter(plan, question(plan));
    expect(asked).toMatchObject({ status: "awaiting-approval" });
    expect(decideNext(asked)).toMatchObject([{ kind: "schedule", timer: "approval-budget-1" }]);
    expect(worksOf(asked)).toEqual([]);
  });

  it.each([
    ["as much as at first when the decision does not say", {}, 3_000],
    ["as much as the decision says", { edits: { tokens: 5_000 } }, 6_500],
    ["as much as at first when the decision makes no sense", { edits: { tokens: -1 } }, 3_000],
  ])("continues with %s", (_, more, limit) => {
    const plan = reached();
    const raised = andAfter(plan, question(plan), approvalDecided("budget-1", "approve", more));
    expect(raised.status).toBe("running");
    expect(viewOf(raised, 0).budget).toMatchObject({ limit: { tokens: limit } });
    expect(worksOf(raised)).toMatchObject([{ stepId: "b", allowance: { maxTokens: 1_002 } }]);
  });

  it.each([
    ["is refused", approvalDecided("budget-1", "reject")],
    ["is left without an answer", timerFired("approval-budget-1")],
  ])("ends the plan when it %s", (_, decision) => {
    const plan = reached();
    const ended = andAfter(plan, question(plan), decision);
    expect(ended.conclusion).toMatchObject({ answer: { status: "partial", sources: ["a"] } });
    expect(ended.conclusion?.reason).toContain("the budget of 1,500 tokens is exhausted");
  });

  it("counts extra seconds from the decision on", () => {
    const plan = after(submitted([step("a"), step("b", ["a"])], budget({ seconds: 2, ...asking })));
    const late = andAfter(plan, timerFired("budget-1"));
    const decided = approvalDecided("budget-1", "approve", { edits: { seconds: 10 } });
    const raised = andAfter(late, question(late), decided);
    expect(raised.budget).toMatchObject({
      limit: { seconds: 12 },
      deadline: { timer: "budget-2", at: "2026-01-01T00:00:10.000Z" },
    });
    // The steps that ran when the time was up have continued.
    expect(worksOf(andAfter(raised, succeeded("a")))).toMatchObject([{ stepId: "b" }]);
  });

  it("asks for the next limit when raising one is not enough", () => {
    const plan = after(
      submitted([step("a"), step("b", ["a"])], budget({ steps: 1, seconds: 2, ...asking })),
      succeeded("a"),
    );
    const more = andAfter(
      plan,
      question(plan),
      timerFired("budget-1"),
      approvalDecided("budget-1", "approve"),
    );
    expect(question(more)).toMatchObject({ data: { approvalId: "budget-2", details: { limit: "seconds" } } });
    expect(worksOf(more)).toEqual([]);
  });
});

it("has no overhead for a plan without a budget (BUDGET-3)", () => {
  const plan = after(submitted([write("a")]));
  expect(plan.budget).toBeUndefined();
  expect(worksOf(plan)[0]).not.toHaveProperty("allowance");
  expect(viewOf(plan, 0).budget).toBeUndefined();
});
