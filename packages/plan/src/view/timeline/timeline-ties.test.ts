// The bars of verifying steps, fallbacks, and steps of drafts under review.
import { describe, expect, it } from "vitest";
import { at, barOf, parts, partsOf, ran, timeline } from "../../../test/bars.ts";
import {
  abandoned,
  draftStarted,
  failed,
  pauseRequested,
  planned,
  planReviewed,
  revised,
  sealed,
  skipped,
  step,
  submitted,
  succeeded,
} from "../../../test/facts.ts";

describe("a step that is verified", () => {
  const goal = submitted([
    step("a"),
    step("check", [], { verifies: "a", args: { value: { $ref: "a.output" } } }),
    step("end", ["a"]),
  ]);
  const shown = [goal, at(2, succeeded("a", "x", 1, ran(1, 2)))];

  it("is under review until its verification has ended", () => {
    const events = [...shown, at(5, succeeded("check", { ok: true }, 1, ran(3, 4)))];
    expect(partsOf("a", ...events)).toEqual(["queue 0-1", "tool 1-2", "reviewing 2-5"]);
    expect(partsOf("check", ...events)).toEqual(["wait dependencies 0-2", "queue 2-3", "tool 3-4"]);
    expect(partsOf("end", ...events)).toEqual(["wait dependencies 0-5", "queue 5-"]);
  });

  it.each([
    ["refuses it", at(5, succeeded("check", false, 1, ran(3, 4)))],
    ["fails", at(5, failed("check", 1, ran(3, 4)))],
  ])("fails when that %s, and its dependents keep waiting", (_name, verdict) => {
    const told = timeline(...shown, verdict);
    expect(barOf(told, "a")).toMatchObject({ status: "failed", endMs: 5_000 });
    expect(parts(barOf(told, "end"))).toEqual(["wait dependencies 0-"]);
    const over = timeline(...shown, verdict, at(6, skipped(["end"], "a")));
    expect(barOf(over, "end").status).toBe("skipped");
  });

  it("does not stop another verification that is running when it fails", () => {
    const two = [
      submitted([
        step("a"),
        step("check", ["a"], { verifies: "a" }),
        step("other", ["a"], { verifies: "a" }),
        step("end", ["a"]),
      ]),
      at(2, succeeded("a", "x", 1, ran(1, 2))),
      at(4, failed("check", 1, ran(3, 4))),
      at(5, skipped(["other", "end"], "a")),
    ];
    expect(timeline(...two).steps.map(({ status }) => status)).toEqual([
      "failed",
      "failed",
      "open",
      "skipped",
    ]);
    const paused = [...two.slice(0, 2), at(3, pauseRequested()), ...two.slice(2)];
    expect(barOf(timeline(...paused), "other").status).toBe("open");
    const over = [...two, at(7, succeeded("other", true, 1, ran(3, 6)))];
    expect(partsOf("other", ...over)).toEqual(["wait dependencies 0-2", "queue 2-3", "tool 3-6"]);
  });

  it("ignores a verdict that arrives too late: the verification fails", () => {
    const told = timeline(
      submitted(),
      draftStarted(),
      planned(step("a")),
      at(2, succeeded("a", "x", 1, ran(1, 2))),
      at(3, planned(step("check", ["a"], { verifies: "a" }), { index: 1 })),
      at(5, succeeded("check", false, 1, ran(4, 5))),
    );
    expect(barOf(told, "a").status).toBe("succeeded");
    expect(barOf(told, "check").status).toBe("failed");
  });
});

describe("a fallback of another step", () => {
  const backed = [step("a", [], { fallback: "f" }), step("f"), step("end", ["a"])];

  it("waits for that step to fail, and that step's dependents wait for it", () => {
    const events = [
      submitted(backed),
      at(2, failed("a", 1, ran(1, 2))),
      at(5, succeeded("f", 1, 1, ran(3, 4))),
    ];
    expect(partsOf("f", ...events)).toEqual(["wait primary 0-2", "queue 2-3", "tool 3-4"]);
    expect(partsOf("end", ...events)).toEqual(["wait dependencies 0-5", "queue 5-"]);
  });

  it("is skipped when that step succeeds", () => {
    const told = timeline(
      submitted(backed),
      at(2, succeeded("a", 1, 1, ran(1, 2))),
      at(3, skipped(["f"], "a")),
    );
    expect(parts(barOf(told, "end"))).toEqual(["wait dependencies 0-2", "queue 2-"]);
    expect(barOf(told, "f")).toMatchObject({ status: "skipped", endMs: 3_000 });
  });

  it("replaces the step that named it first", () => {
    const told = timeline(
      submitted([...backed, step("b", [], { fallback: "f" }), step("after", ["b"])]),
      at(2, failed("b", 1, ran(1, 2))),
    );
    expect(parts(barOf(told, "f"))).toEqual(["wait primary 0-"]);
    expect(parts(barOf(told, "after"))).toEqual(["wait dependencies 0-"]);
  });

  it("can still be planned while its draft is open, and not after that", () => {
    const drafted = [submitted(), draftStarted(), planned(step("a", [], { fallback: "f" }))];
    const fallen = [...drafted, at(2, failed("a", 1, ran(1, 2)))];
    const late = at(3, planned(step("f"), { index: 1 }));
    expect(partsOf("f", ...fallen, late)).toEqual(["queue 3-"]);
    const dependent = at(3, planned(step("end", ["a"]), { index: 1 }));
    for (const [end, status] of [
      [at(4, sealed(1, { steps: 2 })), "skipped"],
      [at(4, abandoned()), "cancelled"],
    ] as const) {
      const over = timeline(...fallen, dependent, end, at(5, skipped(["end"], "a")));
      expect(barOf(over, "a").status).toBe("failed");
      expect(barOf(over, "end").status).toBe(status);
      expect(parts(barOf(over, "end"))[0]).toMatch(/^wait dependencies 3-[45]$/);
    }
  });

  it("holds back a step that it might replace until its draft is complete", () => {
    const drafted = [submitted(), draftStarted(), planned(step("a", [], { fallback: "f" }))];
    const done = at(2, succeeded("a", 1, 1, ran(1, 2)));
    expect(partsOf("a", ...drafted, done)).toEqual(["queue 0-1", "tool 1-2", "reviewing 2-"]);
    const whole = [at(3, planned(step("f"), { index: 1 })), at(4, sealed(1, { steps: 2 }))];
    expect(partsOf("a", ...drafted, done, ...whole)).toEqual(["queue 0-1", "tool 1-2", "reviewing 2-4"]);
  });
});

describe("a draft under review", () => {
  const goal = (plan: unknown, more: object = {}) => submitted(undefined, { review: { plan }, ...more });
  const first = [
    draftStarted(),
    planned(step("a")),
    planned(step("b"), { index: 1 }),
    at(3, sealed(1, { steps: 2 })),
  ];
  const rejected = at(5, planReviewed({ verdict: "rejected", score: 0.2, issues: ["no"], suggestion: "c" }));
  const second = [at(6, draftStarted(2)), at(7, planned(step("c"), { draft: 2 }))];
  const improved = at(8, revised(2, { kept: ["a"], dropped: ["b"], added: ["c"], cause: "critique" }));

  it("holds its steps back until it is accepted", () => {
    const told = timeline(goal(true), ...first, at(5, planReviewed({ score: 0.9 })));
    expect(parts(barOf(told, "a"))).toEqual(["wait draft 0-5", "queue 5-"]);
    expect(told.spans).toContainEqual({ kind: "critique", startMs: 3_000, endMs: 5_000 });
  });

  it("is not over while another review is requested", () => {
    const again = planReviewed({ verdict: "unjudged", cause: "interrupted", message: "lost" });
    expect(partsOf("a", goal(true), ...first, at(5, again))).toEqual(["wait draft 0-"]);
  });

  it("is improved when it is rejected, and runs in its improved form", () => {
    const told = timeline(goal(true), ...first, rejected, ...second, improved);
    expect(parts(barOf(told, "a"))).toEqual(["wait draft 0-8", "queue 8-"]);
    expect(parts(barOf(told, "c"))).toEqual(["wait draft 7-8", "queue 8-"]);
    expect(barOf(told, "b")).toMatchObject({ status: "cancelled", endMs: 8_000 });
  });

  it("is reviewed again when the goal requests it, and then runs regardless of the result", () => {
    const verdict = at(10, planReviewed({ draft: 2, verdict: "rejected", score: 0.1, issues: ["still no"] }));
    const events = [goal({ again: true }), ...first, rejected, ...second, improved];
    expect(partsOf("c", ...events)).toEqual(["wait draft 7-"]);
    expect(partsOf("c", ...events, verdict)).toEqual(["wait draft 7-10", "queue 10-"]);
  });

  it("runs unchanged when the model cannot improve it", () => {
    const given = at(8, abandoned(2, { retryable: false }));
    const told = timeline(goal(true), ...first, rejected, ...second, given);
    expect(parts(barOf(told, "a"))).toEqual(["wait draft 0-8", "queue 8-"]);
    expect(barOf(told, "c").status).toBe("cancelled");
  });

  it("also waits for a person who wants to see the improved draft", () => {
    const approval = { approval: { plan: true } };
    const told = timeline(goal(true, approval), ...first, rejected, ...second, improved);
    expect(parts(barOf(told, "a")).at(-1)).toBe("wait approval 8-");
    expect(parts(barOf(told, "c")).at(-1)).toBe("wait approval 8-");
  });
});

it("holds a step of the plan back while its revision is drafted", () => {
  const told = timeline(
    submitted(),
    draftStarted(),
    planned(step("a")),
    planned(step("b", ["a"]), { index: 1 }),
    planned(step("c"), { index: 2 }),
    at(1, sealed(1, { steps: 3 })),
    at(2, succeeded("c", 1, 1, { ...ran(1, 2), replan: { reason: "it says otherwise" } })),
    at(3, draftStarted(2)),
    at(5, succeeded("a", 1, 1, ran(2, 5))),
    at(8, revised(2, { kept: ["a", "b", "c"], cause: "requires_replan" })),
  );
  expect(parts(barOf(told, "b"))).toEqual(["wait dependencies 0-5", "wait draft 5-8", "queue 8-"]);
});
