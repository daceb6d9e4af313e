import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseStructured } from "./parse-structured.ts";

const Step = z.object({
  id: z.string(),
  note: z.string().optional(),
  owner: z.string().nullable(),
  tries: z.int().default(1),
  args: z.record(z.string(), z.json()),
});
const Plan = z.object({ steps: z.array(Step), answerFrom: z.string().optional() });
const step = { id: "s1", owner: null, args: {} };
const plan = { steps: [{ ...step, tries: 1 }] };
const json = JSON.stringify({ steps: [step] });

const parse = (text: string) => parseStructured("plan", Plan, text);

describe("structured output", () => {
  it.each([
    ["bare", json],
    ["with a byte order mark and white space", `\uFEFF \n${json}\n`],
    ["in a code fence", `\`\`\`json\n${json}\n\`\`\``],
    [
      "in a fence after a fence that holds no JSON",
      `\`\`\`sh\nls {a}\n\`\`\`\nthen\n\`\`\`\n${json}\n\`\`\``,
    ],
    ["after prose with brackets of its own", `Sure [as asked], for {you}: ${json} Enjoy {it}!`],
    ["inside an unclosed fence", `\`\`\`json\n${json}`],
  ])("is found %s", (_, text) => {
    expect(parse(text)).toEqual({ ok: true, value: plan });
  });

  it("keeps brackets and quotes inside strings", () => {
    const value = { ...step, note: 'a } and ] and "quoted \\" {' };
    expect(parse(`Here: ${JSON.stringify({ steps: [value] })}.`)).toMatchObject({
      value: { steps: [value] },
    });
  });

  it("treats null as absent only where the schema does not allow null", () => {
    const value = { steps: [{ ...step, note: null, tries: null, args: { x: null } }], answerFrom: null };
    expect(parse(JSON.stringify(value))).toEqual({
      ok: true,
      value: { steps: [{ ...step, tries: 1, args: { x: null } }] },
    });
  });

  it("treats null as absent inside unions, according to the matching variant", () => {
    const Choice = z.union([
      z.object({ kind: z.literal("a"), size: z.number().optional() }),
      z.object({ kind: z.literal("b"), size: z.number().nullable() }),
    ]);
    expect(parseStructured("choice", Choice, '{"kind":"a","size":null}')).toEqual({
      ok: true,
      value: { kind: "a" },
    });
    expect(parseStructured("choice", Choice, '{"kind":"b","size":null}')).toEqual({
      ok: true,
      value: { kind: "b", size: null },
    });
  });

  it("names the place of a value that does not match the schema", () => {
    const result = parse(JSON.stringify({ steps: [step, { ...step, id: 7 }] }));
    expect(result).toEqual({
      ok: false,
      issues: [{ path: "steps[1].id", message: "Invalid input: expected string, received number" }],
    });
  });

  it.each([
    ["prose", "I cannot do that."],
    ["nothing", ""],
    ["truncated JSON", json.slice(0, -5)],
    ["brackets that never close", "{".repeat(100_000)],
  ])("has one issue that shows the value when it is %s", (_, text) => {
    expect(parse(text)).toMatchObject({ ok: false, issues: [{ path: "" }] });
  });

  it("does not let a reply reach prototypes", () => {
    const result = parse(`{"steps": [], "__proto__": {"polluted": true}}`);
    expect(result).toEqual({ ok: true, value: { steps: [] } });
    expect(Object.getPrototypeOf(result.ok ? result.value : {})).toBe(Object.prototype);
  });

  it("survives nesting that no schema requires", () => {
    const Tree: z.ZodType = z.lazy(() => z.object({ child: Tree.optional() }));
    const text = `${'{"child":'.repeat(200)}{}${"}".repeat(200)}`;
    expect(parseStructured("tree", Tree, text).ok).toBe(true);
  });
});
