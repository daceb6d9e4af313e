// References into lists of results, some of which are stored as files.
import { describe, expect, it } from "vitest";
import type { Json } from "../values/json.ts";
import {
  entriesAt,
  loadArtifactValues,
  type ResolvedOutput,
  resolveReferences,
} from "./resolve-references.ts";

const kept: ResolvedOutput = { kind: "artifact", artifact: "big.json", lists: { rows: 2 } };
const list: ResolvedOutput = {
  kind: "list",
  entries: [{ kind: "value", value: { x: 1 } }, kept],
  value: [{ x: 1 }, { preview: "…" }],
};
const resolve = (args: Record<string, Json>) => resolveReferences(args, () => list);

describe("a reference into a list of results", () => {
  it("resolves to a value, to a file, or to a part of one", () => {
    const args = { x: { $ref: "a.output[0].x" }, rows: { $ref: "a.output[1].rows" } };
    expect(resolve(args)).toEqual({ x: 1, rows: { $artifact: "big.json", path: ["rows"] } });
    expect(resolve({ all: { $ref: "a.output" } })).toEqual({
      all: [{ x: 1 }, { $artifact: "big.json", path: [] }],
    });
  });

  it.each([
    ["a.output[7]", "a.output[7] leads nowhere: no 7 in a list of 2"],
    ["a.output.rows", 'a.output.rows leads nowhere: no "rows" in a list of 2'],
  ])("is refused with a description of the list: %s", ($ref, message) => {
    expect(() => resolve({ value: { $ref } })).toThrow(message);
    expect(() => resolve({ value: `{{${$ref}}}` })).toThrow(message);
  });

  it("returns the entries of a list in one of its files, if its length is known", () => {
    const entries = (path: (string | number)[]) => entriesAt(list, { path, text: "a.output" });
    const row = (index: number) => ({ artifact: { $artifact: "big.json", path: ["rows", index] } });
    expect(entries([1, "rows"])).toEqual([row(0), row(1)]);
    expect(entries([1, "other"])).toContain("kept as a file");
    expect(entries([0])).toBe("an object with x");
    expect(entriesAt({ kind: "nothing" }, { path: [], text: "a.output" })).toEqual([]);
  });
});

describe("loading stored files", () => {
  const load = async (name: string): Promise<Json> => ({ rows: [`${name} 0`, `${name} 1`] });

  it("fills in values and texts, and leaves values that only look like placeholders", async () => {
    const args = {
      row: { $artifact: "f", path: ["rows", 1] },
      text: { $template: ["see ", { $artifact: "f", path: ["rows", 0] }, "!"] },
      literal: { $literal: { $artifact: "secret", path: [] } },
      odd: { $artifact: "f", path: [{ no: "path" }] },
    };
    expect(await loadArtifactValues(args, load)).toEqual({
      row: "f 1",
      text: "see f 0!",
      literal: { $artifact: "secret", path: [] },
      odd: { $artifact: "f", path: [{ no: "path" }] },
    });
  });
});
