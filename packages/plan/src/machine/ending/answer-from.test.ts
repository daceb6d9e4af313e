// The answer of a plan that names the step that gives it.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  draftStarted,
  fact,
  failed,
  kindsOf,
  planned,
  recorded,
  revisionRequested,
  sealed,
  skipped,
  step,
  submitted,
  submittedPlan,
  succeeded,
} from "../../../test/facts.ts";
import { answerFrom } from "./answer-from.ts";
import type { Json } from "../../values/json.ts";
import { OUTPUT_INLINE_BYTES_MAX } from "../../values/limits.ts";
import { missingResults } from "./shortcomings.ts";

const only = submittedPlan({ steps: [step("a")], answerFrom: "a" });
const answerOf = (value: unknown) => answerFrom(after(only, succeeded("a", value)));

describe("the answer made from a step's output", () => {
  it.each([
    ["text is the text", "seven", { text: "seven" }],
    ["an object of nothing but a text is that text", { text: "seven" }, { text: "seven" }],
    [
      "an object with a text is that text, and its data",
      { text: "seven", n: 7 },
      { text: "seven", data: { text: "seven", n: 7 } },
    ],
    [
      "an object with a text and what is no status of an answer is that text, and its data",
      { text: "seven", status: 200 },
      { text: "seven", data: { text: "seven", status: 200 } },
    ],
    ["a text that is none is a field like others", { text: 7 }, { text: "text: 7", data: { text: 7 } }],
    ["a list is its items, and its data", [1, null], { text: "- 1\n- null", data: [1, null] }],
    [
      "a record is its fields, and its data",
      { total: 42, cities: ["Rome", "Oslo"], best: { city: "Rome", days: 3 } },
      {
        text: "- total: 42\n- cities: Rome, Oslo\n- best:\n  - city: Rome\n  - days: 3",
        data: { total: 42, cities: ["Rome", "Oslo"], best: { city: "Rome", days: 3 } },
      },
    ],
    [
      "a list of records is a line for each",
      [
        { city: "Rome", days: 3 },
        { city: "Oslo", days: 1 },
      ],
      {
        text: "- city: Rome, days: 3\n- city: Oslo, days: 1",
        data: [
          { city: "Rome", days: 3 },
          { city: "Oslo", days: 1 },
        ],
      },
    ],
    ["an empty list is none", [], { text: "none", data: [] }],
    ["a number is its JSON, and its data", 0, { text: "0", data: 0 }],
    ["null is its JSON, and its data", null, { text: "null", data: null }],
    ["false is its JSON, and its data", false, { text: "false", data: false }],
    ["no text is no text", "", { text: "" }],
  ])("%s", (_name, value, body) => {
    expect(answerOf(value)).toEqual({ ...body, status: "success", sources: ["a"], artifacts: [] });
  });

  it("consists of all the fields of an object with the status of an answer", () => {
    const of = { sources: ["a"], artifacts: [] };
    const said = { text: "Only 7 left.", status: "insufficient_stock" };
    expect(answerOf({ ...said, logs: ["x"] })).toEqual({ ...said, ...of });
    expect(answerOf({ ...said, data: { rows: [] } })).toEqual({ ...said, data: { rows: [] }, ...of });
  });

  it("is a preview and a file when the output is an artifact", () => {
    const artifact = { name: "outputs/a.json", contentType: "application/json", bytes: 70_000 };
    const output = { artifact, preview: "The first lines" };
    const done = fact("step.succeeded", { ...succeeded("a").data, output, artifacts: [artifact] });
    expect(answerFrom(after(only, done))).toEqual({
      text: "The first lines\n\nThe whole answer is the file outputs/a.json.",
      status: "success",
      sources: ["a"],
      artifacts: [artifact],
    });
  });

  it("is not indented if that would make it longer than an output can be", () => {
    const nested = (levels: number): Json => (levels === 0 ? Array(20_000).fill(1) : [nested(levels - 1)]);
    const text = answerOf(nested(50))?.text ?? "";
    expect(text.length).toBeLessThan(OUTPUT_INLINE_BYTES_MAX);
    expect(JSON.parse(text)).toEqual(nested(50));
  });

  it("has only a note as its text when the output is nested too deep", () => {
    const levels = 20_000;
    const value: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(answerOf(value)?.text).toBe("The answer is nested more than 64 levels deep: see its data.");
  });
});

describe("the answer step", () => {
  it("is the only step without dependents when a submitted plan names none", () => {
    const chain = submitted([step("a"), step("b", ["a"])]);
    expect(after(chain, succeeded("a"), succeeded("b", "end")).conclusion?.answer?.text).toBe("end");
  });

  it("is undefined when several steps have no dependents", () => {
    const plan = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"));
    expect(answerFrom(plan)).toBeUndefined();
    expect(plan.joining.phase).toBe("requested");
  });

  it("is undefined when the plan names a step that does not exist, and the plan is partial", () => {
    const plan = after(submittedPlan({ steps: [step("a")], answerFrom: "zzz" }), succeeded("a"));
    expect(answerFrom(plan)).toBeUndefined();
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "the plan has no step zzz to take its answer from",
      answer: { status: "partial", sources: ["a"] },
    });
  });

  it("is replaced by its dependency when it was skipped because its condition was false", () => {
    const apply = step("b", ["a"], { when: "a.output.changed" });
    const plan = submittedPlan({ steps: [step("a"), apply], answerFrom: "b" });
    const tried = { text: "Nothing fits.", status: "no_match", changed: false };
    expect(recorded(after(plan, succeeded("a", tried))).conclusion?.answer).toMatchObject({
      text: "Nothing fits.",
      status: "no_match",
      sources: ["a"],
    });
    const several = submittedPlan({
      steps: [step("a"), step("c"), { ...apply, dependsOn: ["a", "c"] }],
      answerFrom: "b",
    });
    expect(answerFrom(recorded(after(several, succeeded("a", tried), succeeded("c"))))).toBeUndefined();
  });

  it("answers only once all other steps have ended", () => {
    const plan = submittedPlan({ steps: [step("a"), step("b")], answerFrom: "a", reasoning: "why" });
    expect(after(plan, succeeded("a"))).toMatchObject({ reasoning: "why", inFlight: 1 });
    expect(after(plan, succeeded("a")).conclusion).toBeUndefined();
    expect(after(plan, succeeded("a"), succeeded("b")).conclusion).toMatchObject({
      outcome: "succeeded",
      reason: "the plan named its answer",
    });
  });
});

describe("the answer of a drafted plan whose answer step failed", () => {
  const drafted = (maxReplans: number, more: object = {}) => [
    submitted(undefined, { maxReplans, ...more }),
    draftStarted(1),
    planned(step("a"), { index: 0 }),
    planned(step("b", ["a"]), { index: 1 }),
    sealed(1, { steps: 2, answerFrom: "b" }),
    succeeded("a", "found it"),
    failed("b"),
  ];
  const LISTING = {
    text: "The answer was to come from step b, which has no output.\n\nResults so far:\n- flow.echo (a): found it\n\nMissing: step b failed: boom.",
    status: "partial",
    sources: ["a"],
    artifacts: [],
  };

  it("lists the results, without a model call, when no revision is left", () => {
    const plan = after(...drafted(0));
    expect(plan.joining.phase).toBe("none");
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "step b failed: boom",
      answer: LISTING,
    });
  });

  it("is left to the reflector while a revision is left, because it may request one", () => {
    const plan = after(...drafted(1));
    expect(plan.conclusion).toBeUndefined();
    expect(kindsOf(plan)).toEqual(["join"]);
    const revising = andAfter(plan, revisionRequested(1, LISTING));
    expect(revising.drafting).toMatchObject({ phase: "requested", revision: 1, cause: "results" });
  });

  it("makes the plan partial with the step's failure as its reason when no revision is requested", () => {
    const plan = after(...drafted(1), answerGiven(1, LISTING));
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "step b failed: boom",
      answerRecorded: true,
      answer: LISTING,
    });
  });

  it("is partial even if the reflector calls it a success", () => {
    const plan = after(...drafted(1), answerGiven(1, { status: "success" }));
    expect(plan.conclusion).toMatchObject({ outcome: "partial", answer: { status: "partial" } });
  });

  it("lists the results even if sources are required", () => {
    const plan = after(...drafted(0, { requireSources: true }));
    expect(plan.conclusion).toMatchObject({ outcome: "partial", answer: LISTING });
  });

  it("is failed when no step gave a result", () => {
    const sole = [draftStarted(1), planned(step("b")), sealed(1, { steps: 1, answerFrom: "b" })];
    const plan = after(submitted(undefined, { maxReplans: 0 }), ...sole, failed("b"));
    expect(plan.conclusion).toMatchObject({ outcome: "failed", reason: "step b failed: boom" });
  });
});

it("names no finished plan as the reason of an answer that is itself partial", () => {
  const partial = after(only, succeeded("a", { text: "Half of it.", status: "partial" }));
  expect(partial.conclusion).toMatchObject({
    outcome: "partial",
    reason: "the answer is incomplete, and its text says what is missing",
  });
});

describe("the list of what is missing", () => {
  const steps = [
    step("a", [], { description: "look it up" }),
    step("b"),
    step("c", ["a"]),
    step("d", ["c"]),
    step("e"),
  ];

  it("includes the rest of an output that ends early, whether or not the step names the answer", () => {
    const two = submittedPlan({ steps: [step("a"), step("b", ["a"])], answerFrom: "b" });
    const cut = (id: string) => fact("step.succeeded", { ...succeeded(id, "It is 4").data, truncated: true });
    for (const events of [
      [cut("a"), succeeded("b", "It is 4")],
      [succeeded("a", "It is 42"), cut("b")],
    ]) {
      expect(answerFrom(after(two, ...events))).toMatchObject({
        status: "partial",
        text: expect.stringMatching(
          /^It is 4\n\nMissing: .*ends early: the model reached its length limit\.$/,
        ),
      });
    }
  });

  it("follows the answer, which is then partial", () => {
    const plan = after(
      submittedPlan({ steps, answerFrom: "e" }),
      failed("b"),
      failed("a"),
      succeeded("e", "nearly"),
      skipped(["c", "d"], "a"),
    );
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "step a (look it up) failed: boom. step b failed: boom. 2 steps that needed them did not run.",
      answer: {
        text:
          "nearly\n\nMissing: step a (look it up) failed: boom. step b failed: boom. " +
          "2 steps that needed them did not run.",
        status: "partial",
        sources: ["e"],
      },
    });
  });

  it("is empty when every step succeeded", () => {
    expect(missingResults(after(only, succeeded("a")))).toBe("");
  });

  it("counts one skipped step in the singular", () => {
    const plan = after(submitted([step("a"), step("b", ["a"])]), failed("a"), skipped(["b"], "a"));
    expect(missingResults(plan)).toBe("Missing: step a failed: boom. 1 step that needed them did not run.");
  });

  it("names twenty steps in the plan's order, and counts the others", () => {
    const many = Array.from({ length: 25 }, (_, index) => `s${index}`);
    const plan = after(submitted(many.map((id) => step(id))), ...many.toReversed().map((id) => failed(id)));
    const text = missingResults(plan);
    expect(text).toMatch(/^Missing: step s0 failed: boom\. step s1 failed/);
    expect(text).toMatch(/step s19 failed: boom\. 5 more steps failed\.$/);
  });

  it("is short, however long the messages are", () => {
    const error = { code: "e", message: "m".repeat(100_000) };
    const plan = after(
      submitted([step("a", [], { description: "d".repeat(2_000) })]),
      failed("a", 1, { error }),
    );
    const text = missingResults(plan);
    expect(text).toContain("mmm….");
    expect(text.length).toBeLessThan(1_100);
  });
});

describe("the sources of an answer that a step gives", () => {
  const writer = { ...step("b", ["a"]), tool: "model.write", args: { prompt: "Sum up." } };
  const two = (more: object = {}) => submittedPlan({ steps: [step("a"), writer], answerFrom: "b" }, more);
  const found = succeeded("a", { url: "https://shop.example/a", price: 10 });

  it("are removed if a model invented them, which makes the answer partial", () => {
    const text = "It costs 10 (https://shop.example/a), or 9 (https://evil.example/b).";
    expect(answerFrom(after(two(), found, succeeded("b", { text })))).toMatchObject({
      text: "It costs 10 (https://shop.example/a), or 9.\n\nRemoved sources that no step of this plan has: https://evil.example/b.",
      status: "partial",
    });
  });

  it("are kept if a step found them, or if there was nothing to cite", () => {
    const url = "See https://evil.example/b.";
    expect(answerFrom(after(only, succeeded("a", url)))).toMatchObject({ text: url, status: "success" });
    const free = submittedPlan({ steps: [{ ...writer, dependsOn: [] }], answerFrom: "b" });
    expect(answerFrom(after(free, succeeded("b", { text: url })))).toMatchObject({ text: url });
  });

  it("are reported as missing if they are required", () => {
    const plan = two({ requireSources: true });
    expect(answerFrom(after(plan, found, succeeded("b", { text: "It costs 10." })))).toMatchObject({
      text: 'It costs 10.\n\nWithout a source: "It costs 10.".',
      status: "partial",
    });
    expect(answerFrom(after(plan, found, succeeded("b", { text: "It costs 10 [a]." })))).toMatchObject({
      status: "success",
    });
  });
});
