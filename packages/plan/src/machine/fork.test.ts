// Forks: which steps run again, which are carried over and never run again, and which are left out.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  cancelRequested,
  draftStarted,
  expanded,
  fact,
  failed,
  planEnded,
  planned,
  READ,
  recorded,
  revised,
  revisionRequested,
  sealed,
  skipped,
  step,
  submitted,
  submittedPlan,
  succeeded,
  worksOf,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { evolve } from "./evolve.ts";
import { type Fork, forkPlan } from "./fork.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "./plan-state.ts";

function forked(plan: KnownPlan, fromStep: string, edits?: Record<string, string>): Fork {
  const fork = forkPlan(plan, { fromStep, edits });
  if ("refusal" in fork) throw new Error(fork.refusal);
  return fork;
}
const idsOf = ({ carried, rest }: Fork) => ({
  carried: carried.map(({ step: { id } }) => String(id)),
  rest: rest.steps.map(({ id }) => String(id)),
});

/** a → b and c → d. */
const DIAMOND = [step("a"), step("b", ["a"]), step("c", ["a"]), step("d", ["b", "c"])];

describe("a fork", () => {
  it("runs its step and all that depends on it again, and carries over all other succeeded steps", () => {
    const plan = after(
      submittedPlan({ steps: DIAMOND, answerFrom: "d", reasoning: "b and c apart" }),
      ...["a", "b", "c", "d"].map((id) => succeeded(id, `from ${id}`)),
      planEnded(),
    );
    const fork = forked(plan, "b", { value: "edited" });
    expect(idsOf(fork)).toEqual({ carried: ["a", "c"], rest: ["b", "d"] });
    expect(fork.rest).toMatchObject({
      steps: [{ args: { value: "edited" } }, {}],
      answerFrom: "d",
      reasoning: "b and c apart",
    });
    expect(fork.carried[0]).toMatchObject({ output: { value: "from a" }, grant: READ });
    expect(idsOf(forked(plan, "a"))).toEqual({ carried: [], rest: ["a", "b", "c", "d"] });
  });

  it("carries over why an output is incomplete, so that the new plan is partial too", () => {
    const steps = [step("a"), step("b", ["a"])];
    const cut = { truncated: true };
    for (const [more, reason] of [
      [{ partial: "half of it" }, "step a is incomplete: half of it."],
      [cut, "step a is incomplete: the model reached its length limit."],
    ] as const) {
      const origin = after(submittedPlan({ steps }), succeeded("a", 1, 1, more), succeeded("b"), planEnded());
      const { carried, rest } = forked(origin, "b");
      const fork = { planId: "p0", fromStep: "b", seq: 3 };
      const plan = after(submittedPlan(rest, { fork, carried }), succeeded("b"));
      expect(plan.conclusion).toMatchObject({ outcome: "partial", reason });
    }
  });

  it("carries over which results of a list are files, so that references to them still resolve", () => {
    const artifact = { name: "outputs/each-0-1.json", contentType: "application/json", bytes: 70_000 };
    const item = (index: number, output: object) => {
      const { data } = succeeded("each", 1, 1, { item: index });
      return fact("step.succeeded", { ...data, output });
    };
    const each = { id: "each", tool: "flow.echo", forEach: [1, 2], args: { value: { $ref: "item" } } };
    const sum = (id: string, list: object) => ({ id, tool: "flow.echo", dependsOn: ["each"], ...list });
    const steps = [
      each,
      sum("sum", { args: { value: { $ref: "each.output[0].rows[1]" } } }),
      sum("rows", { forEach: { $ref: "each.output[0].rows" }, args: { value: { $ref: "item" } } }),
    ];
    const plan = after(
      submitted(steps),
      expanded("each", 2),
      item(0, { artifact, preview: "…", lists: { rows: 2 } }),
      item(1, { value: "small" }),
      succeeded("sum"),
    );
    const fork = forked(plan, "sum");
    expect(fork.carried).toMatchObject([
      { output: { value: [{ artifact: artifact.name }, "small"] }, files: [{ item: 0, artifact }] },
    ]);
    const origin = { planId: "p0", fromStep: "sum", seq: 9 };
    const anew = recorded(after(submittedPlan(fork.rest, { fork: origin, carried: fork.carried })));
    const of = (...path: unknown[]) => ({ value: { $artifact: artifact.name, path } });
    const wanted = [of("rows", 1), of("rows", 0), of("rows", 1)];
    expect(decide(anew).flatMap((one) => (one.kind === "run" ? [one.work.args] : []))).toEqual(wanted);
    // A fork of the fork has them too.
    expect(forked(andAfter(anew, succeeded("sum")), "sum").carried[0]).toMatchObject({
      files: [{ item: 0, artifact, lists: { rows: 2 } }],
    });
  });

  it("runs failed, skipped and cancelled steps again", () => {
    const bad = after(submitted(DIAMOND), succeeded("a"), failed("b"), succeeded("c"), skipped(["d"], "b"));
    expect(idsOf(forked(bad, "b"))).toEqual({ carried: ["a", "c"], rest: ["b", "d"] });
    expect(idsOf(forked(bad, "c"))).toEqual({ carried: ["a"], rest: ["b", "c", "d"] });
    expect(idsOf(forked(bad, "d"))).toEqual({ carried: ["a", "c"], rest: ["b", "d"] });
    const stopped = after(submitted(DIAMOND), succeeded("a"), cancelRequested());
    expect(idsOf(forked(stopped, "c"))).toEqual({ carried: ["a"], rest: ["b", "c", "d"] });
  });

  it("begins only at steps that have ended", () => {
    const plan = after(submitted(DIAMOND), succeeded("a"));
    expect(forkPlan(plan, { fromStep: "x" })).toEqual({ refusal: "no_such_step" });
    expect(forkPlan(plan, { fromStep: "b" })).toEqual({ refusal: "not_settled" });
    expect(idsOf(forked(plan, "a")).rest).toEqual(["a", "b", "c", "d"]);
  });

  it("leaves out the steps that a revision replaced, unless it begins there", () => {
    const steps = [planned(step("a")), planned(step("b", ["a"]), { index: 1 })];
    const first = after(submitted(), draftStarted(), ...steps, sealed());
    const again = andAfter(first, succeeded("a"), failed("b"), revisionRequested(1), draftStarted(2));
    const plan = andAfter(
      again,
      planned(step("b2", ["a"]), { draft: 2 }),
      revised(2, { kept: ["a"], dropped: ["b"], added: ["b2"] }),
      succeeded("b2"),
    );
    expect(idsOf(forked(plan, "b2"))).toEqual({ carried: ["a"], rest: ["b2"] });
    expect(idsOf(forked(plan, "b"))).toEqual({ carried: ["a"], rest: ["b"] });
  });

  it("leaves out a step that needs a step of an abandoned draft", () => {
    const open = after(submitted(), draftStarted(), planned(step("a")), abandoned());
    const plan = andAfter(open, draftStarted(2), planned(step("z", ["a"]), { draft: 2 }), sealed(2));
    const lost = andAfter(plan, skipped(["z"], "a"));
    expect(forkPlan(lost, { fromStep: "z" })).toEqual({ refusal: "lost_its_way" });
  });
});

describe("a forked plan", () => {
  const carriedStep = { step: step("a", [], { tool: "mail.send" }), grant: READ, output: { value: "sent" } };
  const fork = { planId: "p0", fromStep: "b", seq: 7 };
  const steps = [step("b", [], { args: { value: { $ref: "a.output" } } }), step("c")];

  it("has the outputs of the carried steps, and sends only the rest", () => {
    const plan = after(submittedPlan({ steps }, { fork, carried: [carriedStep] }));
    expect(worksOf(plan).map(({ stepId, args }) => [stepId, args])).toEqual([
      ["b", { value: "sent" }],
      ["c", {}],
    ]);
    const view = viewOf(plan, 0);
    expect(view).toMatchObject({ fork, progress: { done: 1, total: 3 } });
    expect(view.steps[0]).toMatchObject({ id: "a", status: "succeeded", carried: true });
    expect(evolve(plan, failed("a"))).toBe(plan);
  });

  it("does not compensate the effects of another plan", () => {
    const compensate = { tool: "flow.echo", args: { value: 1 } };
    const undone = { ...carriedStep, step: step("a", [], { compensate }) };
    const goal = submittedPlan({ steps: [step("b")] }, { fork, carried: [undone] });
    expect(after(goal, cancelRequested()).compensations?.toArray() ?? []).toEqual([]);
  });

  it("is reviewed if its origin was, whatever its remaining steps look like", () => {
    const goal = submittedPlan({ steps: [step("b")] }, { fork, carried: [carriedStep] });
    expect(after(goal, succeeded("b"))).toMatchObject({ joining: { phase: "requested" } });
  });
});

describe("feedback", () => {
  const given = (number: number, rating: number) => fact("feedback.given", { number, rating, by: "ann" });
  const ended = after(submitted([step("a")]), cancelRequested(), planEnded("cancelled"));

  it("is recorded for an ended plan without a sequence number, and the latest feedback counts", () => {
    const noted = andAfter(ended, given(1, 2), given(2, 5));
    expect(noted).toMatchObject({ seq: ended.seq, feedback: { number: 2, rating: 5, by: "ann" } });
    expect(evolve(noted, given(1, 1))).toBe(noted);
    expect(evolve(noted, given(4, 1))).toBe(noted);
  });

  it("is ignored before the plan has ended", () => {
    const open = after(submitted([step("a")]));
    expect(evolve(open, given(1, 2))).toBe(open);
  });
});

describe("a fork of a plan with fallbacks and verifications", () => {
  const TIED = [
    step("a", [], { fallback: "b" }),
    step("check", [], { verifies: "a" }),
    step("b"),
    step("end", ["a"]),
    step("last", ["end"]),
  ];
  const checked = [submitted(TIED), succeeded("a", "from a"), succeeded("check", false)];
  const stoodIn = after(...checked, succeeded("b", "from b"), succeeded("end"), succeeded("last"));

  it("carries over a failed step together with the output of its fallback", () => {
    const fork = forked(stoodIn, "end");
    expect(idsOf(fork)).toEqual({ carried: ["a", "check", "b"], rest: ["end", "last"] });
    expect(fork.carried[0]).toMatchObject({ output: { value: "from b" } });
  });

  it("runs a step's verifications and fallback again together with the step", () => {
    const all = ["a", "check", "b", "end", "last"];
    for (const from of ["a", "b"]) expect(idsOf(forked(stoodIn, from))).toEqual({ carried: [], rest: all });
  });

  it("skips steps again that are still not needed", () => {
    const plan = recorded(after(submitted(TIED), succeeded("a", "from a"), succeeded("check")));
    const fork = forked(andAfter(plan, succeeded("end"), succeeded("last")), "end");
    expect(idsOf(fork)).toEqual({ carried: ["a", "check"], rest: ["b", "end", "last"] });
    const origin = { planId: "p0", fromStep: "end", seq: 9 };
    const carried = fork.carried.map((one) => ({ ...one, artifacts: [] }));
    const again = recorded(after(submitted(fork.rest.steps, { fork: origin, carried })));
    expect(again.steps.map(({ state }) => state.status).toJSON()).toMatchObject({
      a: "succeeded",
      b: "skipped",
      end: "running",
    });
  });

  it("has no verification result for an output that is not carried over", () => {
    const lost = recorded(after(...checked, failed("b")));
    expect(idsOf(forked(lost, "last")).carried).toEqual([]);
  });
});
