import { type Json, PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { spill } from "./spill.ts";

const planId = PlanId.parse("p1");

/** An artifact store in memory. */
function artifacts() {
  const stored = new Map<string, Json>();
  return {
    stored,
    put: (_planId: PlanId, name: string, content: Uint8Array, contentType: string) => {
      stored.set(name, JSON.parse(Buffer.from(content).toString()) as Json);
      return Promise.resolve({ name, contentType, bytes: content.byteLength });
    },
  };
}

const spilled = async (value: Json, bytesMax = 10) => {
  const store = artifacts();
  const output = await spill(store, value, { planId, name: "large.json", bytesMax });
  return { output, stored: store.stored.get("large.json") };
};

it("keeps a value whose JSON fits the limit in bytes", async () => {
  expect(await spilled("ü".repeat(4))).toEqual({ output: { value: "üüüü" }, stored: undefined });
  expect((await spilled("ü".repeat(5))).output).toHaveProperty("artifact");
});

it("keeps the lengths of the lists in a value that it moves to an artifact", async () => {
  const value = { rows: [1, 2, 3], about: { tags: ["a"] } };
  const { output, stored } = await spilled(value);
  expect(stored).toEqual(value);
  expect(output).toMatchObject({ lists: { rows: 3, "about.tags": 1 }, preview: JSON.stringify(value) });
});

it("drops the list lengths of a value that is too large to load for one of its lists", async () => {
  const { output } = await spilled({ rows: [1], rest: "x".repeat(1024 * 1024) });
  expect(output).not.toHaveProperty("lists");
});

it.each([
  ["a text by its start", "é".repeat(2_000), "é".repeat(1_000)],
  ["a text that ends inside a character", `${"x".repeat(999)}😀`, `${"x".repeat(999)}\uFFFD`],
])("previews %s", async (_what, value, preview) => {
  expect((await spilled(value)).output).toMatchObject({ preview });
});

it("previews an object in its own shape", async () => {
  const { output } = await spilled({ list: Array.from({ length: 1_000 }, (_, index) => index), end: true });
  const { preview } = output as { preview: string };
  expect(preview.length).toBeLessThanOrEqual(1_000);
  expect(JSON.parse(preview)).toHaveProperty("end", true);
});
