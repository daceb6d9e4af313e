// A step that runs for each item of a list: "find" gives the list, "look" runs for each item, "sum" uses the results.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  decideNext,
  expanded,
  fact,
  failed,
  faltered,
  givenUp,
  kindsOf,
  ONCE,
  pauseRequested,
  READ,
  redriveRequested,
  resumeRequested,
  started,
  step,
  stepOf,
  submitted,
  submittedPlan,
  succeeded,
  timerFired,
  USAGE,
  worksOf,
  WRITER,
} from "../../../test/facts.ts";
import { checkPlan } from "../../check/check-plan.ts";
import { decide } from "../../decide/decide.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { tallyOf } from "../../view/plan-figures.ts";
import { LIMITS } from "../../values/limits.ts";
import { Step } from "../../language/plan-language.ts";
import { viewOf } from "../../view/plan-view.ts";
import { progressOf } from "../../view/progress.ts";
import type { KnownPlan } from "../plan-state.ts";
import { itemsOf } from "./runs.ts";
import { ToolSpec } from "../../language/tool-spec.ts";

const LOOK = { forEach: { $ref: "find.output.names" }, args: { value: "{{item}}" } };
const PLAN = [
  step("find"),
  step("look", [], LOOK),
  step("sum", [], { args: { value: { $ref: "look.output" } } }),
];
const found = (...names: unknown[]) => succeeded("find", { names });
const item = (index: number) => ({ item: index });

/** The plan once the dispatcher has recorded its decisions. */
function recorded(plan: KnownPlan): KnownPlan {
  const [command] = decide(plan).filter(({ kind }) => kind === "record");
  if (command?.kind !== "record") return plan;
  const { type, data, id } = command.event;
  return recorded(andAfter(plan, fact(type, data, { id })));
}

const started3 = recorded(after(submitted(PLAN), found("A", "B", "C")));
const stepView = (plan: KnownPlan, id: string) => viewOf(plan, 0).steps.find((one) => one.id === id);

describe("a step that runs for each item of a list", () => {
  it("waits for its list, and for the other outputs that its arguments refer to", () => {
    const args = { value: "{{item.output.x}} {{other.output}}" };
    expect(dependenciesOf(Step.parse(step("s", [], { ...LOOK, args })))).toEqual(["other", "find"]);
  });

  it("has its length recorded once the list is known, and runs once for each item", () => {
    const plan = after(submitted(PLAN), found("A", "B", "C"));
    expect(kindsOf(plan)).toEqual(["step.expanded"]);
    const works = worksOf(andAfter(plan, expanded("look", 3)));
    expect(works.map(({ item: index, args }) => [index, args])).toEqual([
      [0, { value: "A" }],
      [1, { value: "B" }],
      [2, { value: "C" }],
    ]);
    expect(decideNext(andAfter(plan, expanded("look", 3)))).toMatchObject([
      { id: "p1/look/0/1" },
      { id: "p1/look/1/1" },
      { id: "p1/look/2/1" },
    ]);
  });

  it("gives the results in the list's order, whichever came first", () => {
    const plan = andAfter(
      started3,
      succeeded("look", "c", 1, item(2)),
      succeeded("look", "a", 1, item(0)),
      succeeded("look", "b", 1, item(1)),
    );
    expect(worksOf(plan)).toMatchObject([{ stepId: "sum", args: { value: ["a", "b", "c"] } }]);
    expect(stepView(plan, "look")).toMatchObject({ status: "succeeded", output: { value: ["a", "b", "c"] } });
  });

  it("shows failed items in their position, and keeps the results of the others", () => {
    const plan = andAfter(
      started3,
      succeeded("look", "a", 1, item(0)),
      failed("look", 1, item(1)),
      succeeded("look", "c", 1, item(2)),
    );
    const error = { code: "e", message: "boom" };
    expect(worksOf(plan)).toMatchObject([{ args: { value: ["a", { error }, "c"] } }]);
    expect(stepView(plan, "look")).toMatchObject({
      status: "succeeded",
      failedItems: 1,
      items: [
        { item: 0, value: "A", status: "succeeded" },
        { status: "failed", error },
        { status: "succeeded" },
      ],
    });
    const { conclusion } = andAfter(plan, succeeded("sum", "done"));
    expect(conclusion?.answer).toMatchObject({
      status: "partial",
      text: "done\n\nMissing: step look failed for 1 of its items.",
    });
  });

  it("fails when all its items have failed, and then its dependents are skipped", () => {
    const plan = recorded(andAfter(started3, ...[0, 1, 2].map((index) => failed("look", 1, item(index)))));
    expect(stepOf(plan, "look").state).toMatchObject({
      status: "failed",
      error: { code: "all_items_failed", message: "none of 3 items succeeded; the first: boom" },
    });
    expect(stepOf(plan, "sum").state).toMatchObject({ status: "skipped", because: "look" });
  });

  it("gives an empty list for an empty list", () => {
    const plan = recorded(after(submitted(PLAN), found()));
    expect(worksOf(plan)).toMatchObject([{ stepId: "sum", args: { value: [] } }]);
  });

  it.each([
    [
      succeeded("find", { names: "A, B" }),
      "not_a_list",
      "wanted a list at find.output.names to run for each of, got a string",
    ],
    [succeeded("find", { name: "A" }), "unresolved_reference", 'find.output.names leads nowhere: no "names"'],
    [
      found(...Array.from({ length: 1_001 }, () => 1)),
      "too_many_items",
      "wanted a list of at most 1000 items, got 1001",
    ],
  ])("fails with a clear error when there is no list to run for", (list, code, message) => {
    const plan = recorded(after(submitted(PLAN), list));
    expect(stepOf(plan, "look").state).toMatchObject({
      status: "failed",
      error: { code, message: expect.stringContaining(message) as string },
    });
    expect(stepOf(plan, "sum").state.status).toBe("skipped");
  });

  it("runs only a few items in parallel, and starts another whenever one is over", () => {
    const names = Array.from({ length: 120 }, (_, index) => index);
    let plan = recorded(after(submitted(PLAN), found(...names)));
    expect(worksOf(plan)).toHaveLength(LIMITS.itemsAtOnceMax);
    plan = andAfter(plan, failed("look", 1, item(7)));
    expect(worksOf(plan)).toMatchObject([{ item: LIMITS.itemsAtOnceMax }]);
    // An item that waits for a retry still counts.
    expect(worksOf(andAfter(plan, faltered("look", 1, item(3))))).toEqual([]);
    expect(progressOf(plan, 0)).toMatchObject({ done: 2, total: 123 });
    for (const index of names) plan = andAfter(plan, succeeded("look", index, 1, item(index)));
    const output: unknown[] = [...names];
    output[7] = { error: { code: "e", message: "boom" } };
    expect(stepOf(plan, "look").state).toMatchObject({ output: { value: output } });
  });

  it("runs over a list in the plan, and over the results of another repeated step", () => {
    const steps = [
      step("a", [], { forEach: [{ n: 1 }, { n: 2 }], args: { value: { $ref: "item.n" } } }),
      step("b", [], { forEach: { $ref: "a.output" }, args: { value: { $ref: "item" } } }),
    ];
    let plan = recorded(after(submitted(steps)));
    expect(worksOf(plan).map(({ args }) => args["value"])).toEqual([1, 2]);
    const artifact = { name: "big.json", contentType: "application/json", bytes: 70_000 };
    const large = succeeded("a", 1, 1, item(1));
    plan = andAfter(plan, succeeded("a", "x", 1, item(0)), {
      ...large,
      data: { ...large.data, output: { artifact, preview: "…" } },
    } as PlanEvent);
    // A worker loads it, because the dispatcher has never seen it.
    expect(worksOf(recorded(plan)).map(({ args }) => args["value"])).toEqual([
      "x",
      { $artifact: "big.json", path: [] },
    ]);
  });

  it("runs over a list in a file, whose entries only workers see", () => {
    const artifact = { name: "big.json", contentType: "application/json", bytes: 70_000 };
    const withLists = (lists?: object) => {
      const large = succeeded("find", 1);
      const output = { artifact, preview: "…", lists };
      return recorded(after(submitted(PLAN), { ...large, data: { ...large.data, output } } as PlanEvent));
    };
    const plan = withLists({ names: 2, other: 1 });
    expect(worksOf(plan).map(({ args }) => args["value"])).toEqual([
      { $template: ["", { $artifact: "big.json", path: ["names", 0] }, ""] },
      { $template: ["", { $artifact: "big.json", path: ["names", 1] }, ""] },
    ]);
    expect(stepView(plan, "look")?.items?.map(({ value }) => value)).toEqual([undefined, undefined]);
    for (const lists of [undefined, { other: 1 }]) {
      expect(stepOf(withLists(lists), "look").state).toMatchObject({
        error: { code: "not_a_list", message: expect.stringContaining("no such list is known") as string },
      });
    }
  });

  it("runs over a list in one of several files", () => {
    const steps = [
      step("a", [], { forEach: [1, 2], args: { value: { $ref: "item" } } }),
      step("b", [], { forEach: { $ref: "a.output[1].rows" }, args: { value: { $ref: "item.id" } } }),
    ];
    const artifact = { name: "big.json", contentType: "application/json", bytes: 70_000 };
    const large = succeeded("a", 1, 1, item(1));
    const output = { artifact, preview: "…", lists: { rows: 1 } };
    const plan = andAfter(recorded(after(submitted(steps))), succeeded("a", "x", 1, item(0)), {
      ...large,
      data: { ...large.data, output },
    } as PlanEvent);
    expect(worksOf(recorded(plan)).map(({ args }) => args["value"])).toEqual([
      { $artifact: "big.json", path: ["rows", 0, "id"] },
    ]);
  });

  it("resolves references into the results, including files", () => {
    const artifact = { name: "big.json", contentType: "application/json", bytes: 70_000 };
    const args = {
      value: [{ $ref: "look.output[1].rows[0]" }, { $ref: "look.output" }, "{{look.output[0].error.code}}"],
    };
    const plan = recorded(
      after(submitted([step("find"), step("look", [], LOOK), step("sum", [], { args })]), found(1, 2)),
    );
    const large = succeeded("look", 1, 1, item(1));
    const ended = andAfter(plan, failed("look", 1, item(0)), {
      ...large,
      data: { ...large.data, output: { artifact, preview: "…" } },
    } as PlanEvent);
    expect(worksOf(ended)[0]?.args["value"]).toEqual([
      { $artifact: "big.json", path: ["rows", 0] },
      [{ error: { code: "e", message: "boom" } }, { $artifact: "big.json", path: [] }],
      "e",
    ]);
  });
});

it("counts a repeated step in the plan's metrics as often as it ran", () => {
  const plan = andAfter(
    started3,
    failed("look", 1, item(1)),
    succeeded("look", "a", 1, item(0)),
    succeeded("look", "c", 1, item(2)),
    succeeded("sum", "done"),
  );
  expect(tallyOf(plan)).toMatchObject({ steps: 5, stepsFailed: 1, toolCalls: 5, toolCallsMin: 5 });
  const none = recorded(after(submitted(PLAN), succeeded("find", { names: 1 })));
  expect(tallyOf(none)).toMatchObject({ steps: 2, stepsFailed: 1 });
});

describe("an item", () => {
  it("has its own attempts", () => {
    const plan = andAfter(started3, faltered("look", 1, item(1)), succeeded("look", "c", 1, item(2)));
    expect(kindsOf(andAfter(started3, faltered("look", 1, item(1))))).toEqual(["schedule"]);
    const again = andAfter(plan, timerFired("retry-look-1-2"));
    expect(decideNext(again)).toMatchObject([{ id: "p1/look/1/2", work: { item: 1, attempt: 2 } }]);
    expect(stepView(again, "look")?.items?.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, "queued"],
      [2, "queued"],
      [1, "succeeded"],
    ]);
  });

  it("waits for its own approval, and runs with the approved arguments", () => {
    const steps = [step("mail", [], { tool: "mail.send", forEach: ["A", "B"], args: { to: "{{item}}" } })];
    const plan = recorded(after(submitted(steps, { approval: { risk: "high", expiresAfterMs: 60_000 } })));
    const { approvals } = viewOf(plan, 0);
    expect(approvals.map(({ approvalId, item: index, args }) => [approvalId, index, args])).toEqual([
      ["risk-mail-0", 0, { to: "A" }],
      ["risk-mail-1", 1, { to: "B" }],
    ]);
    expect(() => approvalRequested(plan, "mail", 1)).toThrow("awaits no approval");
    const decided = andAfter(
      plan,
      approvalDecided("risk-mail-1", "approve", { edits: { to: "C" } }),
      approvalDecided("risk-mail-0", "reject"),
    );
    expect(
      worksOf(andAfter(plan, approvalDecided("risk-mail-1", "approve", { edits: { to: "C" } }))),
    ).toMatchObject([{ item: 1, args: { to: "C" } }]);
    expect(stepView(decided, "mail")?.items).toMatchObject([
      { status: "failed", error: { code: "approval_rejected" } },
      { status: "queued" },
    ]);
  });

  it("has its own effect in the effect ledger", () => {
    const steps = [step("mail", [], { tool: "mail.send", forEach: ["A", "B"], args: { to: "{{item}}" } })];
    const plan = recorded(after(submitted(steps)));
    const begun = andAfter(plan, started("mail", 1, { item: 1 }), succeeded("mail", "sent", 1, item(1)));
    const more = { ...started("mail"), data: { ...started("mail").data, item: 1 } } as PlanEvent;
    const noted = andAfter(plan, more, succeeded("mail", "sent", 1, item(1)));
    expect(begun.items.size).toBe(2);
    expect(viewOf(noted, 0).effects).toMatchObject([{ key: "p1/mail/1/0", item: 1, status: "done" }]);
  });

  it("gets its own part of a budget", () => {
    const steps = [step("w", [], { tool: "model.write", forEach: ["A", "B"], args: { prompt: "{{item}}" } })];
    const grants = { "model.write": WRITER };
    const plan = recorded(after(submitted(steps, { grants, budget: { tokens: 1_500, onExhausted: "end" } })));
    // There is room for one item at a time.
    expect(stepView(plan, "w")?.items).toMatchObject([{ status: "queued" }, { waitingFor: "budget" }]);
    const next = andAfter(plan, succeeded("w", "x", 1, { ...item(0), usage: USAGE }));
    expect(worksOf(next)).toMatchObject([{ item: 1 }]);
  });

  it("is cancelled, paused and sent again like a step", () => {
    const cancelled = andAfter(started3, succeeded("look", "a", 1, item(0)), cancelRequested());
    expect(itemsOf(cancelled, stepOf(cancelled, "look").step.id).map(({ state }) => state.status)).toEqual([
      "succeeded",
      "cancelled",
      "cancelled",
    ]);
    expect(cancelled).toMatchObject({ done: 3, total: 3, inFlight: 0 });
    // Finished items are not lost with the rest.
    const error = { code: "cancelled", message: expect.stringContaining("cancelled") as string };
    expect(stepView(cancelled, "look")).toMatchObject({
      status: "succeeded",
      failedItems: 2,
      output: { value: ["a", { error }, { error }] },
    });
    expect(stepView(andAfter(started3, cancelRequested()), "look")).toMatchObject({ status: "cancelled" });
    const paused = andAfter(started3, pauseRequested(), succeeded("look", "a", 1, item(0)));
    expect(worksOf(andAfter(paused, resumeRequested()))).toMatchObject([{ item: 1 }, { item: 2 }]);
  });

  it("can be retried as a dead letter while the others run", () => {
    const plan = andAfter(started3, givenUp("look", 1, item(1)), redriveRequested("look", 1, 1));
    expect(worksOf(plan)).toMatchObject([{ item: 1, attempt: 2 }]);
    const over = andAfter(
      started3,
      givenUp("look", 1, item(1)),
      succeeded("look", "a", 1, item(0)),
      succeeded("look", "c", 1, item(2)),
    );
    expect(andAfter(over, redriveRequested("look", 1, 1))).toBe(over);
  });
});

describe("the check of a step that runs for each item of a list", () => {
  const tool = (name: string, effect: string) =>
    [
      name,
      ToolSpec.parse({ ...READ, ...ONCE, effect, name, description: name, input: {}, output: {} }),
    ] as const;
  const tools = new Map([tool("flow.echo", "read"), tool("mail.send", "once")]);
  const issuesOf = (more: object) =>
    checkPlan({ steps: [step("find"), { id: "look", tool: "mail.send", args: {}, ...more }] }, { tools })
      .issues;

  it("accepts lists and references to them", () => {
    for (const forEach of [[1, { a: 2 }], { $ref: "find.output" }]) {
      expect(
        issuesOf({ forEach, args: { a: { $ref: "item" }, b: ["{{item.name[0]}}", "{{find.output}}"] } }),
      ).toEqual([]);
    }
  });

  it.each([
    [
      { forEach: { $ref: "gone.output" } },
      "dangling_reference",
      'the output of another step of this plan, got "gone.output"',
    ],
    [{ forEach: { $ref: "look.output" } }, "self_dependency", "the step's own"],
    [{ forEach: { $ref: "find" } }, "malformed_reference", "wanted a reference to a list"],
    [{ forEach: [{ a: "{{find.output}}" }] }, "malformed_reference", "a reference inside of a list"],
    [{ args: { a: "{{item}}" } }, "malformed_reference", "wanted item only in a step with forEach"],
    [{ forEach: [1], compensate: { tool: "mail.send" } }, "compensated_items", "what it did is not undone"],
    [{ forEach: [1], review: {} }, "reviewed_items", "not judged one by one"],
    [{ forEach: "find.output" }, "malformed", "wanted"],
    [{ forEach: Array.from({ length: 1_001 }, () => 1) }, "malformed", "at most 1000"],
  ])("refuses %j", (more, code, message) => {
    expect(issuesOf(more)).toMatchObject([{ code, message: expect.stringContaining(message) as string }]);
  });

  it("finds a step that waits for its own list", () => {
    const steps = [step("a", [], { forEach: { $ref: "b.output" } }), step("b", ["a"])];
    expect(checkPlan({ steps }, { tools }).issues).toMatchObject([{ code: "cycle" }]);
  });

  it("lets an unchecked plan run, and fails the step whose list cannot be resolved", () => {
    const plan = recorded(after(submittedPlan({ steps: [step("a", [], { forEach: { $ref: "?" } })] })));
    expect(stepOf(plan, "a").state).toMatchObject({
      status: "failed",
      error: { code: "unresolved_reference" },
    });
  });
});

it("shows the entries of a short list", () => {
  const look = step("look", [], { forEach: ["short", "x".repeat(2_000)], args: { value: "{{item}}" } });
  const plan = recorded(after(submitted([look])));
  expect(stepView(plan, "look")?.items?.map(({ value }) => value)).toEqual(["short", undefined]);
});
