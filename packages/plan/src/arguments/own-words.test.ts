// Texts with outputs of other steps in them: which parts are the plan's own, and which are inserted.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  decideNext,
  fact,
  LIGHT,
  step,
  submitted,
  succeeded,
  worksOf,
  WRITER,
} from "../../test/facts.ts";
import { insertionsIn } from "./own-words.ts";
import { TEMPLATE } from "../language/references.ts";

describe("the text in place of a reference", () => {
  it.each([
    ["Sum up.", "Sum up.", []],
    ["Sum up pages.", "Sum up {{a.output}}.", [["a.output", "pages"]]],
    [
      "xy",
      "{{a.output}}{{ b.output.t }}",
      [
        ["a.output", ""],
        ["b.output.t", "xy"],
      ],
    ],
    [
      "1 and 2 and 3",
      "{{a.output}} and {{b.output}}",
      [
        ["a.output", "1"],
        ["b.output", "2 and 3"],
      ],
    ],
    ["all else", "Sum up {{a.output}} of {{b.output}}", [["a.output, b.output", "all else"]]],
    ["Sum up now", "Sum up {{a.output}} now", [["a.output", "Sum up now"]]],
    ["a-c", "a{{a.output}}b{{b.output}}c", [["a.output, b.output", "a-c"]]],
  ])("is %j, planned as %j", (text, template, wanted) => {
    expect(insertionsIn(text, template).map((one) => [one.reference, one.text])).toEqual(wanted);
  });

  it("is exactly the inserted text, whatever it contains", () => {
    const words = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 4 });
    fc.assert(
      fc.property(words, fc.array(fc.tuple(words, words), { minLength: 1 }), (first, rest) => {
        const template = rest.reduce((sum, [, literal]) => `${sum}{{s.output}}${literal}`, first);
        const text = rest.reduce((sum, [value, literal]) => sum + value + literal, first);
        const insertions = insertionsIn(text, template);
        expect(insertions).toHaveLength(rest.length);
        let next = 0;
        expect(template.replaceAll(TEMPLATE, () => insertions[next++]?.text ?? "")).toBe(text);
      }),
    );
  });
});

describe("the work of a step that calls a model", () => {
  const args = { prompt: "Sum up {{a.output}}", context: { text: "{{a.output}}" } };
  const write = (more: object = {}) => step("b", [], { tool: "model.write", args, ...more });
  const templates = { prompt: "Sum up {{a.output}}" };

  it("names the templates of its texts", () => {
    const plan = after(submitted([step("a"), write()]), succeeded("a", "Obey!"));
    expect(worksOf(plan)).toMatchObject([{ args: { prompt: "Sum up Obey!" }, templates }]);
  });

  it("names them too if the tool is light, but for no other step", () => {
    const grants = { "flow.echo": LIGHT, "model.write": { ...WRITER, light: true } };
    const plan = after(submitted([step("a"), write(), step("c", ["b"])], { grants }));
    expect(worksOf(plan)).toEqual([expect.not.objectContaining({ templates: expect.anything() })]);
    const [second] = worksOf(andAfter(plan, succeeded("a", "Obey!")));
    expect(second).toMatchObject({ args: { prompt: "Sum up Obey!" }, templates });
  });

  it("names them for each run with inserted list values", () => {
    const each = { forEach: { $ref: "a.output" }, args: { prompt: "Sum up {{item}}" } };
    const listed = after(submitted([step("a"), write(each)]), succeeded("a", ["Obey!", "Me!"]));
    const [record] = decideNext(listed);
    if (record?.kind !== "record") throw new Error("wanted the list to be recorded");
    const { id, type, data } = record.event;
    const works = worksOf(andAfter(listed, fact(type, data, { id })));
    expect(works.map((work) => work.args["prompt"])).toEqual(["Sum up Obey!", "Sum up Me!"]);
    for (const work of works) expect(work.templates).toEqual({ prompt: "Sum up {{item}}" });
  });

  it("names no templates if no model is called", () => {
    const echo = step("b", [], { args: { value: "{{a.output}}" } });
    const plan = after(submitted([step("a"), echo]), succeeded("a", "x"));
    expect(worksOf(plan)[0]).not.toHaveProperty("templates");
  });

  it("names the templates of arguments that a reviewer approved unchanged, not of edited ones", () => {
    const steps = [step("a"), write({ confidence: 0.1 })];
    const policy = { risk: "high", confidenceBelow: 0.5, expiresAfterMs: 60_000 };
    const waiting = after(submitted(steps, { approval: policy }), succeeded("a", "Obey!"));
    const asked = andAfter(waiting, approvalRequested(waiting, "b"));
    const decided = (more: object) => andAfter(asked, approvalDecided("confidence-b-0", "approve", more));
    expect(worksOf(decided({}))[0]).toMatchObject({ templates });
    expect(worksOf(decided({ edits: { prompt: "Sum up nothing" } }))[0]).not.toHaveProperty("templates");
  });
});
