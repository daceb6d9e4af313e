// References: how they are written, found, resolved here, and completed by the worker.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../values/json.ts";
import { findReferences, parseReference } from "./references.ts";
import {
  loadArtifactValues,
  type ResolvedOutput,
  resolveReferences,
  UnresolvedReferenceError,
} from "../arguments/resolve-references.ts";

const pathOf = (text: string) => parseReference(text)?.path;
const resolve = (value: Json, outputs: Record<string, ResolvedOutput>) =>
  resolveReferences({ value }, (stepId) => outputs[stepId])["value"];
const resolveIn = (output: Json, value: Json) => resolve(value, { a: { kind: "value", value: output } });
const artifact = (name: string): ResolvedOutput => ({ kind: "artifact", artifact: name });

describe("a reference", () => {
  it.each([
    ["s1.output", []],
    ["s1.output.rows", ["rows"]],
    ["s1.output.rows[0].region", ["rows", 0, "region"]],
    ["s1.output[2][3]", [2, 3]],
    ["s1.output.first-name.x_1", ["first-name", "x_1"]],
    ['s1.output["two words"].x', ["two words", "x"]],
    ['s1.output["a\\"b\\\\c"]', ['a"b\\c']],
    ["s1.output.7", ["7"]],
    ["__proto__.output.__proto__", ["__proto__"]],
  ])("with the text %s has the path %j", (text, path) => {
    expect(pathOf(text)).toEqual(path);
  });

  it.each([
    "s1",
    "s1.outputs",
    "output",
    ".output",
    "s1.output.",
    "s1.output.a b",
    "s1.output[x]",
    "s1.output[-1]",
    "s1.output[1",
    's1.output["open]',
    "s1.output..a",
    " s1.output",
    "s.1.output",
    `${"x".repeat(65)}.output`,
  ])("is not %j", (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

describe("the references in arguments", () => {
  it("are found with their paths", () => {
    const { references, malformed } = findReferences({
      query: "from {{ a.output.x }} to {{b.output}}",
      items: [1, { url: { $ref: "c.output[0]" } }],
    });
    expect(references.map(({ stepId, field }) => [stepId, field])).toEqual([
      ["c", "items[1].url"],
      ["a", "query"],
      ["b", "query"],
    ]);
    expect(malformed).toEqual([]);
  });

  it("are reported when they are malformed", () => {
    expect(findReferences({ a: { $ref: "s1" }, b: "see {{ the table }}" }).malformed).toEqual([
      { field: "b", text: "the table" },
      { field: "a", text: "s1" },
    ]);
  });

  it.each([
    ["braces around nothing", "{{}} {{ }}"],
    ["an unclosed template", "{{ a.output"],
    ["a template with braces in it", "{{ {a.output} }}"],
    ["an object with more than a $ref", { $ref: "a.output", more: 1 }],
    ["a $ref that is no text", { $ref: 1 }],
    ["null", null],
  ])("are ignored in %s", (_name, value) => {
    expect(findReferences({ value })).toEqual({ references: [], malformed: [], items: [], secrets: [] });
  });

  it("are found in time linear in the arguments", () => {
    // Each would take hours if the pattern could match it in more than one way.
    const bytes = 250_000;
    for (const text of [
      `{{${" ".repeat(bytes)}`,
      `{{a${" ".repeat(bytes)}`,
      "{{a ".repeat(bytes / 4),
      "{".repeat(bytes),
    ]) {
      expect(findReferences({ text })).toEqual({ references: [], malformed: [], items: [], secrets: [] });
    }
  });
});

describe("a resolved value", () => {
  it.each([
    ["a.output", { x: [1, { y: "z" }] }],
    ["a.output.x", [1, { y: "z" }]],
    ["a.output.x[1].y", "z"],
    ["a.output.x[0]", 1],
  ])("is the value that %s refers to", ($ref, found) => {
    expect(resolveIn({ x: [1, { y: "z" }] }, { $ref })).toEqual(found);
  });

  it("can be null, false, empty or an own property named __proto__", () => {
    expect(resolveIn({ x: null }, { $ref: "a.output.x" })).toBeNull();
    expect(resolveIn({ x: false }, { $ref: "a.output.x" })).toBe(false);
    expect(resolveIn("", { $ref: "a.output" })).toBe("");
    expect(resolveIn(JSON.parse('{"__proto__": 5}') as Json, { $ref: "a.output.__proto__" })).toBe(5);
  });

  it.each([
    ["a.output.price", { cost: 1 }, 'no "price" in an object with cost'],
    ["a.output.x.y", { x: {} }, 'no "y" in an empty object'],
    ["a.output.x.y", { x: null }, 'no "y" in null'],
    ["a.output[3]", [1, 2], "no 3 in a list of 2"],
    ["a.output.length", "text", 'no "length" in a string'],
    ["a.output.length", [1], 'no "length" in a list of 1'],
    ["a.output.__proto__", {}, 'no "__proto__" in an empty object'],
    ["a.output.constructor", { x: 1 }, 'no "constructor" in an object with x'],
  ])("is refused for %s in %j, with a description of the actual value", ($ref, output, message) => {
    expect(() => resolveIn(output as Json, { $ref })).toThrow(
      new UnresolvedReferenceError(`${$ref} leads nowhere: ${message}`),
    );
  });

  it("finds a key that is written as an index, but no index that is written as a key", () => {
    expect(resolveIn({ 0: "x" }, { $ref: "a.output[0]" })).toBe("x");
    expect(() => resolveIn(["x"], { $ref: "a.output.0" })).toThrow('no "0" in a list of 1');
  });

  it("is refused when the step has no output or the text is not a reference", () => {
    expect(() => resolve({ $ref: "b.output" }, {})).toThrow("b.output: b has no output");
    expect(() => resolve("{{ b }}", {})).toThrow("b is not a reference");
  });

  it("is inserted into text as text, or as JSON if it is not text", () => {
    const output = { name: "Ada", n: 3, list: [1, null] };
    expect(resolveIn(output, "{{a.output.name}}: {{ a.output.n }} of {{a.output.list}}!")).toBe(
      "Ada: 3 of [1,null]!",
    );
    expect(resolveIn("{{a.output}} stays", "<{{ a.output }}>")).toBe("<{{a.output}} stays>");
  });

  it("leaves everything else unchanged, own __proto__ keys too", () => {
    const written = '{"__proto__":{"x":[true,null]},"constructor":"{{ a.output }}"}';
    const resolved = resolveIn(1, JSON.parse(written) as Json);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":{"x":[true,null]},"constructor":"1"}');
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
  });

  it("is the original value, for every path into every output", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (output) => {
        for (const [path, value] of pathsOf(output as Json)) {
          expect(resolveIn(output as Json, { $ref: `a.output${path}` })).toBe(value);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("an output that is stored as an artifact", () => {
  const outputs = { a: artifact("big.json"), b: { kind: "value", value: "small" } } as const;
  const files: Record<string, Json> = { "big.json": { rows: [{ n: 7 }], text: "long" }, "other.json": [1] };
  const load = (name: string) => Promise.resolve(files[name] ?? null);
  const loaded = async (value: Json) =>
    (await loadArtifactValues({ value: resolve(value, outputs) ?? null }, load))["value"];

  it("is named in the arguments, with the path into it", () => {
    expect(resolve({ $ref: "a.output.rows[0]" }, outputs)).toEqual({
      $artifact: "big.json",
      path: ["rows", 0],
    });
  });

  it("is inserted by the worker, as a value and inside text", async () => {
    expect(await loaded({ $ref: "a.output.rows[0].n" })).toBe(7);
    expect(await loaded([{ deep: { $ref: "a.output.rows" } }])).toEqual([{ deep: [{ n: 7 }] }]);
    expect(await loaded("{{b.output}} and {{a.output.text}}: {{ a.output.rows }}.")).toBe(
      'small and long: [{"n":7}].',
    );
  });

  it("is loaded once, however many references it has, and not at all if it has none", async () => {
    const asked: string[] = [];
    const note = (name: string) => {
      asked.push(name);
      return load(name);
    };
    const args = { value: resolve(["{{a.output.text}}", { $ref: "a.output" }], outputs) ?? null };
    await loadArtifactValues(args, note);
    expect(asked).toEqual(["big.json"]);
    const plain = { value: { $ref: "not resolved here" } };
    expect(await loadArtifactValues(plain, note)).toBe(plain);
  });

  it("is refused when the path cannot be resolved in it", async () => {
    await expect(loaded({ $ref: "a.output.price" })).rejects.toThrow(
      'big.json leads nowhere: no "price" in an object with rows, text',
    );
  });
});

describe("an output that looks like a placeholder", () => {
  const spoofs: Json[] = [
    { $artifact: "secret.json", path: [] },
    [{ deep: { $artifact: "secret.json", path: ["key"], more: 1 } }],
    { $template: ["a", { $artifact: "secret.json", path: [] }] },
    { $literal: { $artifact: "secret.json", path: [] } },
  ];

  it.each(spoofs)("reaches the tool unchanged: %j", async (spoof) => {
    const asked: string[] = [];
    const args = { value: resolveIn({ x: spoof }, [{ $ref: "a.output.x" }, "plain"]) ?? null };
    const loaded = await loadArtifactValues(args, (name) => {
      asked.push(name);
      return Promise.resolve("secret");
    });
    expect(loaded).toEqual({ value: [spoof, "plain"] });
    expect(asked).toEqual([]);
  });

  it("lets the artifacts next to it be loaded", async () => {
    const outputs = { a: artifact("big.json"), b: { kind: "value", value: spoofs[0] ?? null } } as const;
    const args = { value: resolve([{ $ref: "a.output" }, { $ref: "b.output" }], outputs) ?? null };
    expect(await loadArtifactValues(args, (name) => Promise.resolve(`content of ${name}`))).toEqual({
      value: ["content of big.json", spoofs[0]],
    });
  });

  it("is inserted into text like any other text", () => {
    expect(resolveIn(spoofs[0] ?? null, "<{{a.output}}>")).toBe('<{"$artifact":"secret.json","path":[]}>');
  });
});

/** Every path into a value that a reference can express, with the value at that path. */
function* pathsOf(value: Json, path = ""): Generator<[string, Json]> {
  yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* pathsOf(entry, `${path}[${index}]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      const quoted = key.replaceAll(/["\\]/g, (character) => `\\${character}`);
      yield* pathsOf(entry, `${path}["${quoted}"]`);
    }
  }
}
