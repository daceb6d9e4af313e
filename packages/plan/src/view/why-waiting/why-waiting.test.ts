// Each view comes from a plan built from events: none is written by hand.
import { describe, expect, it } from "vitest";
import {
  AT,
  abandoned,
  after,
  andAfter,
  answerGiven,
  approvalDecided,
  cancelRequested,
  draftStarted,
  failed,
  faltered,
  interrupted,
  modelFailed,
  pauseRequested,
  planEnded,
  planned,
  READ,
  recorded,
  resumeRequested,
  reviewed,
  revised,
  sealed,
  started,
  step,
  submitted,
  succeeded,
  WRITE,
} from "../../../test/facts.ts";
import { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { viewOf } from "../plan-view.ts";
import type { KnownPlan } from "../../machine/plan-state.ts";
import type { StepView } from "../step-view.ts";
import { whyPlanWaits } from "./why-plan-waits.ts";
import { whyWaiting } from "./why-waiting.ts";

const NOW_MS = Date.parse(AT) + 12_000;
const CLOCK = /\d\d:\d\d:\d\d/g;
const DAY = /\d{4}-\d\d-\d\d /g;

/** The reason for a step, with every time of day replaced by `T`: it depends on the reader's time zone. */
function said(plan: KnownPlan, stepId: string): string | undefined {
  const view = viewOf(plan, NOW_MS);
  const found = view.steps.find(({ id }) => id === stepId);
  if (found === undefined) throw new Error(`there is no step ${stepId}`);
  return whyWaiting(view, found, NOW_MS)?.replaceAll(DAY, "").replaceAll(CLOCK, "T");
}

function saidOfPlan(plan: KnownPlan): string[] {
  return whyPlanWaits(viewOf(plan, NOW_MS), NOW_MS).map((why) =>
    why.replaceAll(DAY, "").replaceAll(CLOCK, "T"),
  );
}

const tool = (name: string, more: object = {}) => ({ tool: name, ...more });
const ASKING = { approval: { risk: "high" } };

describe("a step that waits for others", () => {
  it("names them, and their state", () => {
    const steps = [
      step("a"),
      step("b", [], tool("mail.send")),
      step("c", [], { retry: { maxAttempts: 2 } }),
      step("d"),
      step("z", ["a", "b", "c", "d"]),
    ];
    const plan = recorded(after(submitted(steps, ASKING), started("a"), started("c"), faltered("c")));
    expect(said(plan, "z")).toBe(
      "waits for a (running for 12 s), b (needs your decision), c (will be retried any moment (attempt 2 of 2), after: boom) and 1 more",
    );
    expect(said(andAfter(plan, succeeded("a"), succeeded("d")), "z")).toBe(
      "waits for b (needs your decision) and c (will be retried any moment (attempt 2 of 2), after: boom)",
    );
  });

  it("states what these are waiting for, one level deep", () => {
    const plan = after(submitted([step("a"), step("b", ["a"]), step("c", ["b"])]), started("a"));
    expect(said(plan, "c")).toBe("waits for b (waits for a)");
    expect(said(plan, "b")).toBe("waits for a (running for 12 s)");
    expect(said(plan, "a")).toBeUndefined();
  });

  it("names the fallback of a failed step, and says when a fallback runs", () => {
    const steps = [step("a", [], { fallback: "f" }), step("f"), step("z", ["a"])];
    const plan = after(submitted(steps), started("a"));
    expect(said(plan, "f")).toBe("runs only if a fails (running for 12 s)");
    const fallen = andAfter(plan, failed("a"), started("f"));
    expect(said(fallen, "z")).toBe("waits for f (running for 12 s)");
  });

  it("is about to start if the page knows nothing else", () => {
    const view = viewOf(after(submitted([step("a"), step("b", ["a"])])), NOW_MS);
    const bare = { ...view.steps[1], waitingFor: undefined } as StepView;
    expect(whyWaiting(view, bare, NOW_MS)).toBe("waits for a (waits for a free worker in pool default)");
    expect(whyWaiting({ ...view, steps: [] }, bare, NOW_MS)).toBe("about to start");
    expect(whyWaiting(view, bare)).toBe(whyWaiting(view, bare, Date.parse(AT)));
  });
});

describe("a step that is ready", () => {
  it("waits for a worker of its pool, with the number of others that do", () => {
    expect(said(after(submitted([step("a")])), "a")).toBe("waits for a free worker in pool default");
    const plan = after(submitted([step("a"), step("b"), step("c", [], { agent: "large" })]));
    expect(said(plan, "a")).toBe(
      "waits for a free worker in pool default; 2 steps of this plan are waiting for one",
    );
    expect(said(plan, "c")).toBe("waits for a free worker in pool large");
  });

  it("waits for a slot when the maximum number of steps is running", () => {
    const many = Array.from({ length: LIMITS.inFlightMax + 1 }, (_, index) => step(`s${index}`));
    expect(said(after(submitted(many)), `s${LIMITS.inFlightMax}`)).toBe(
      "waits for capacity: the plan has 1,024 steps in flight, the maximum",
    );
  });

  it("waits for its condition to be evaluated, and for its list", () => {
    const when = after(submitted([step("a"), step("b", ["a"], { when: "a.output > 9" })]), succeeded("a", 1));
    expect(said(when, "b")).toBe("its condition is about to be evaluated");
    const each = after(
      submitted([step("a"), step("b", [], { forEach: { $ref: "a.output" } })]),
      succeeded("a", [1]),
    );
    expect(said(each, "b")).toBe("its list is about to be read");
  });

  it("waits for the end of a pause, and states who paused and why", () => {
    const plan = after(
      submitted([step("a"), step("b", ["a"])]),
      started("a"),
      pauseRequested(),
      succeeded("a"),
    );
    expect(said(plan, "b")).toBe("paused by someone: let me look");
    expect(saidOfPlan(plan)).toEqual(["paused by someone: let me look"]);
    const silent = after(
      submitted([step("a"), step("b", ["a"])]),
      started("a"),
      pauseRequested(1, ""),
      succeeded("a"),
    );
    expect(said(silent, "b")).toBe("paused by someone");
    expect(saidOfPlan(andAfter(silent, resumeRequested(), started("b")))).toEqual([]);
  });

  it("waits for the plan to start", () => {
    const startAt = new Date(Date.parse(AT) + 3_600_000).toISOString();
    const plan = after(submitted([step("a")], { startAt }));
    expect(said(plan, "a")).toBe("the plan starts at T, in 59 min");
    expect(saidOfPlan(plan)).toEqual(["starts at T, in 59 min"]);
    const later = new Date(Date.parse(AT) + 3 * 86_400_000).toISOString();
    expect(said(after(submitted([step("a")], { startAt: later })), "a")).toBe("the plan starts at T, in 2 d");
  });

  it("waits for its next attempt, and states after which failure", () => {
    const plan = after(
      submitted([step("a", [], { retry: { maxAttempts: 4, backoffMs: 60_000 } })]),
      started("a"),
      faltered("a"),
    );
    const why = said(plan, "a") ?? "";
    expect(why).toMatch(/^will be retried at T, in \d+ s \(attempt 2 of 4\), after: boom$/);
    expect(saidOfPlan(plan)).toEqual([`step a ${why}`]);
  });

  it("waits for a part of the budget, or because it is exhausted", () => {
    const write = (id: string) => step(id, [], tool("model.write"));
    const budget = { tokens: 1_500, onExhausted: "end" };
    const plan = after(submitted([write("a"), write("b")], { budget }), started("a"));
    expect(said(plan, "b")).toBe("waits for its share of the plan's budget");
    expect(saidOfPlan(plan)).toEqual(["waits for its share of the plan's budget"]);
    const usage = { modelCalls: 1, inputTokens: 1_600, outputTokens: 0, costUsd: 0 };
    const two = after(
      submitted([write("a"), write("b"), write("c")], { budget: { ...budget, onExhausted: "ask" } }),
      started("a"),
      succeeded("a", 1, 1, { usage }),
    );
    expect(said(two, "b")).toBe("the plan's budget of tokens is used up (1,600 of 1,500)");
    expect(saidOfPlan(recorded(two))[0]).toMatch(
      /^needs your decision about its budget: May the plan use more\? The budget of 1,500 tokens is exhausted: .*[^.]; rejected/,
    );
    const dear = { ...usage, costUsd: 2 };
    const usd = after(
      submitted([write("a"), write("b")], {
        budget: { usd: 1, usdPerToken: { input: 0.001, output: 0.001 }, onExhausted: "ask" },
      }),
      started("a"),
      succeeded("a", 1, 1, { usage: dear }),
    );
    expect(said(usd, "b")).toBe("the plan's budget of US dollars is used up ($2.00 of $1.00)");
  });
});

describe("a step that waits for people", () => {
  it("needs their approval, and states of what and for how long", () => {
    const plan = recorded(after(submitted([step("a", [], tool("mail.send"))], ASKING)));
    const until = /; rejected automatically in \d+ (?:h|min)$/;
    expect(said(plan, "a")).toMatch(until);
    expect(said(plan, "a")?.replace(until, "")).toBe("needs your approval: mail.send is high-risk");
    expect(saidOfPlan(plan)).toEqual([`step a ${said(plan, "a")}`]);
    expect(said(after(submitted([step("a", [], tool("mail.send"))], ASKING)), "a")).toBe(
      "needs your decision",
    );
  });

  it.each([
    [
      "the planner is not confident in it",
      submitted([step("a", [], { confidence: 0.1 })], { approval: { confidenceBelow: 0.5 } }),
    ],
    [
      "waits for your answer: Which one?",
      submitted([step("a", [], tool("human.ask", { args: { question: "Which one?" } }))]),
    ],
  ])("states it: %s", (why, goal) => {
    expect(said(recorded(after(goal)), "a")).toContain(why);
  });

  it("needs a decision on whether it took effect", () => {
    const goal = submitted([step("a", [], tool("mail.send"))]);
    const plan = recorded(after(goal, started("a"), interrupted("a")));
    expect(said(plan, "a")).toMatch(/^it is unknown whether it took effect, and you decide: /);
  });

  it("waits for the approval of the whole plan", () => {
    const plan = recorded(after(submitted([step("a")], { approval: { plan: true, risk: "high" } })));
    expect(said(plan, "a")).toBe("held until the plan is approved");
    expect(saidOfPlan(plan)[0]).toMatch(/^needs your approval of the plan; rejected/);
    expect(saidOfPlan(andAfter(plan, approvalDecided("plan-0", "approve"), started("a")))).toEqual([]);
  });

  it("is only counted if too many wait to be named", () => {
    const many = Array.from({ length: 5 }, (_, index) => step(`s${index}`, [], tool("mail.send")));
    expect(saidOfPlan(recorded(after(submitted(many, ASKING)))).at(-1)).toBe(
      "2 more steps need your decision",
    );
    const four = saidOfPlan(recorded(after(submitted(many.slice(1), ASKING))));
    expect(four.at(-1)).toBe("1 more step needs your decision");
    const tried = after(
      submitted(many.map((_, index) => step(`s${index}`))),
      ...many.map((_, index) => faltered(`s${index}`)),
    );
    expect(saidOfPlan(tried).at(-1)).toBe("2 more steps will be retried");
  });
});

describe("a step of a draft", () => {
  it("is held until the draft is complete, or has been reviewed", () => {
    const open = after(
      submitted(),
      draftStarted(),
      planned(step("a", [], tool("files.write")), { grant: WRITE }),
    );
    expect(said(open, "a")).toBe("held until the draft is complete");
    expect(saidOfPlan(open)).toEqual(["its draft is being written: 1 step so far"]);
    const judged = after(
      submitted(undefined, { review: { plan: true } }),
      draftStarted(),
      planned(step("a")),
      sealed(),
    );
    expect(said(judged, "a")).toBe("held until the draft has been reviewed");
    expect(saidOfPlan(judged)).toEqual(["its draft of 1 step is being reviewed"]);
  });

  it("is held while the plan is revised", () => {
    const plan = after(
      submitted([step("a"), step("b"), step("c", ["b"])]),
      succeeded("a", 1, 1, { replan: { reason: "all is different" } }),
      draftStarted(1),
      succeeded("b"),
    );
    expect(said(plan, "c")).toBe("held until the plan has been revised");
    expect(saidOfPlan(plan)).toEqual(["its revision is being written: 0 steps so far"]);
    expect(saidOfPlan(andAfter(plan, revised(1, { kept: ["a", "b", "c"] }), started("c")))).toEqual([]);
  });

  it("waits for a planner, also if the planner's model has failed", () => {
    expect(saidOfPlan(after(submitted()))).toEqual(["waits for a planner to write its draft"]);
    const again = after(submitted(), draftStarted(), abandoned(1, { cause: "model_failed" }));
    expect(saidOfPlan(again)).toEqual(["the model could not plan it, and will be asked again shortly"]);
  });
});

describe("a step that has produced an output", () => {
  it("is reviewed", () => {
    const goal = submitted([step("a", [], { expectedOutput: "a number" }), step("b", ["a"])], {
      review: { steps: true },
    });
    const plan = after(goal, started("a"), succeeded("a"));
    expect(said(plan, "a")).toBe("finished, and its output is being reviewed");
    expect(said(plan, "b")).toBe("waits for a (being reviewed)");
    expect(said(andAfter(plan, reviewed("a")), "a")).toBeUndefined();
  });

  it("waits for the steps that verify it, and for the draft that may plan one", () => {
    const plan = after(
      submitted([step("a"), step("v", [], { verifies: "a" })]),
      succeeded("a"),
      started("v"),
    );
    expect(said(plan, "a")).toBe("finished, and waits to be verified by v (running for 12 s)");
    const open = after(
      submitted(),
      draftStarted(),
      planned(step("a", [], { fallback: "f" }), { grant: READ }),
      succeeded("a"),
    );
    expect(said(open, "a")).toBe("finished, and waits for the draft to be complete");
  });
});

describe("a step whose model server does not respond", () => {
  const work = { kind: "step", stepId: "a", item: 0, attempt: 1 };
  const tried = (tries: object) => after(submitted([step("a"), step("b", ["a"])]), modelFailed(work, tries));
  const LATER = new Date(NOW_MS + 5_000).toISOString();

  it("states the progress of its model call, also if another step waits for it", () => {
    const plan = tried({ calls: 2, message: "no answer", retryAt: LATER });
    expect(said(plan, "a")).toBe("no answer, attempt 2 of 8");
    expect(said(plan, "b")).toBe("waits for a (no answer, attempt 2 of 8)");
  });

  it("states only that the server is loading its model while it does", () => {
    expect(said(tried({ loading: true, message: "the model is being loaded" }), "a")).toBe(
      "the model is being loaded",
    );
  });

  it("counts the current call while the server is silent, and does not mention it after its deadline", () => {
    const message = "no answer for 30 s";
    expect(said(tried({ silent: true, message, retryAt: LATER }), "b")).toBe(
      "waits for a (no answer for 30 s, attempt 2 of 8)",
    );
    expect(said(tried({ silent: true, message }), "a")).toBe("waits for a free worker in pool default");
  });
});

describe("a step that others work on", () => {
  it("waits for its sub-plan", () => {
    const plan = after(
      submitted([step("a", [], tool("plan.run", { args: { goal: "g" } })), step("b", ["a"])]),
    );
    expect(said(plan, "a")).toBe("about to start as a sub-plan");
    const begun = andAfter(plan, started("a", 1, { subPlan: "p2" }));
    expect(said(begun, "a")).toBe("its sub-plan has been running for 12 s");
    expect(saidOfPlan(begun)).toEqual(["step a waits for its sub-plan"]);
  });

  it("waits for its items only when none of them is running", () => {
    const items = { item: 1 };
    const goal = submitted([step("a", [], { forEach: [1, 2, 3], args: { value: "{{item}}" } })]);
    const plan = recorded(after(goal));
    expect(said(plan, "a")).toBe("3 items left: 3 waiting for a free worker");
    expect(said(andAfter(plan, started("a")), "a")).toBeUndefined();
    const tried = andAfter(plan, faltered("a", 1, items), succeeded("a"));
    expect(said(tried, "a")).toBe(
      "2 items left: 1 waiting to be retried and 1 waiting for a free worker (the next one any moment)",
    );
  });
});

describe("a plan", () => {
  it("names its steps that wait for workers", () => {
    expect(saidOfPlan(after(submitted([step("a"), step("b"), step("c", ["a"])])))).toEqual([
      "steps a and b wait for a free worker in pool default",
    ]);
    expect(saidOfPlan(after(submitted([step("a")])))).toEqual([
      "step a waits for a free worker in pool default",
    ]);
  });

  it("waits for nothing when it has ended, or is making progress", () => {
    const plan = after(submitted([step("a")]), started("a"));
    expect(saidOfPlan(plan)).toEqual([]);
    expect(saidOfPlan(andAfter(plan, succeeded("a"), answerGiven(undefined), planEnded()))).toEqual([]);
    expect(whyPlanWaits(viewOf(plan, NOW_MS))).toEqual([]);
  });

  it("is being reviewed when everything has run, and compensated when it fails", () => {
    const judged = recorded(after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b")));
    expect(saidOfPlan(judged)).toEqual(["all steps have finished, and the results are being reviewed"]);
    const undo = { tool: "mail.send", compensate: { tool: "files.write", args: {} } };
    const undone = andAfter(
      after(submitted([step("a", [], undo), step("b")])),
      succeeded("a"),
      cancelRequested(),
    );
    expect(saidOfPlan(undone)).toEqual(["its effects are being undone: 0 of 1 step"]);
  });
});

/** A page may show an older view, or one of an older gateway: the text is then shorter, but never empty or wrong. */
describe("a view with missing fields", () => {
  const plan = after(submitted([step("a", [], { fallback: "f" }), step("f"), step("z", ["a"])]));
  const view = viewOf(plan, NOW_MS);
  const [a, , z] = view.steps;
  if (a === undefined || z === undefined) throw new Error("wanted three steps");
  const why = (more: Partial<StepView>, of = view) =>
    whyWaiting(of, { ...a, status: "waiting", ...more }, NOW_MS);

  it("names no time, person or attempt that is missing", () => {
    expect(why({ waitingFor: "start" })).toBe("the plan has not started");
    expect(why({ waitingFor: "resume" })).toBe("the plan is paused");
    expect(why({ waitingFor: "retry", failedAttempts: [] })).toBe("will be retried");
    expect(why({ waitingFor: "budget" })).toBe("waits for its share of the plan's budget");
    expect(why({ waitingFor: "primary", id: StepId.parse("alone") })).toBe(
      "runs only if the step it is a fallback for fails",
    );
    expect(why({ status: "awaiting-approval" })).toBe("needs your decision");
    expect(why({ status: "reviewing", fallback: undefined })).toBe(
      "finished, and its output is being reviewed",
    );
  });

  it("counts a start at an unknown time from now", () => {
    const child = { ...a, status: "running", tool: "plan.run", child: view.planId } as StepView;
    expect(whyWaiting(view, child, NOW_MS)).toBe("its sub-plan has been running for 0 s");
    expect(whyWaiting(view, { ...child, status: "queued", child: undefined }, NOW_MS)).toBe(
      "about to start as a sub-plan",
    );
  });

  it("describes the steps before it by their status alone", () => {
    const doing = (more: Partial<StepView>) => {
      const steps = view.steps.map((one) => (one.id === "a" ? { ...one, ...more } : one));
      return whyWaiting({ ...view, steps }, z, NOW_MS);
    };
    expect(doing({ status: "reviewing" })).toBe("waits for a (being reviewed)");
    expect(doing({ status: "waiting", waitingFor: undefined })).toBe("waits for a (about to start)");
    expect(doing({ status: "failed", fallback: undefined })).toBe("about to start");
    expect(doing({ status: "failed", fallback: StepId.parse("gone") })).toBe("about to start");
  });

  it("treats an unknown status, cause or kind of approval as simply waiting", () => {
    expect(why({ status: "hibernating" as never })).toBeUndefined();
    expect(why({ waitingFor: "tide" as never })).toBe("waits");
    const asked = viewOf(recorded(after(submitted([step("m", [], tool("mail.send"))], ASKING))), NOW_MS);
    const [approval] = asked.approvals;
    if (approval === undefined) throw new Error("wanted an approval");
    const odd = { ...asked, approvals: [{ ...approval, stepId: a.id, kind: "oracle" as never }] };
    expect(why({ status: "awaiting-approval" }, odd)).toBe("needs your decision");
  });

  it("uses the time of the last change if its creation time is missing", () => {
    const { viewedAt: _made, ...older } = view;
    const running = { ...a, status: "running", startedAt: AT } as StepView;
    expect(whyWaiting({ ...older, steps: [running, z] }, z)).toBe("waits for a (running for 0 s)");
    expect(whyWaiting({ ...view, steps: [running, z] }, z)).toBe("waits for a (running for 12 s)");
  });

  it("requests a decision of unknown risk, tool and time", () => {
    const asked = recorded(after(submitted([step("m", [], tool("mail.send"))], ASKING)));
    const known = viewOf(asked, NOW_MS);
    const [approval] = known.approvals;
    const [first] = known.steps;
    if (approval === undefined || first === undefined) throw new Error("wanted an approval");
    const bare = { ...approval, tool: undefined, risk: undefined, expiresAt: AT };
    const of = { ...known, approvals: [bare] } as typeof known;
    expect(whyWaiting(of, first, NOW_MS)).toBe("needs your approval: its tool is high-risk");
    const exhausted = { limit: {}, used: {}, exhausted: "usd" } as unknown as NonNullable<
      typeof known.budget
    >;
    expect(why({ waitingFor: "budget" }, { ...view, budget: exhausted })).toBe(
      "the plan's budget of US dollars is used up ($0.00 of $0.00)",
    );
  });
});
