import type { Json } from "@planwright/plan";
import { expect, it } from "vitest";
import { shortenJson } from "./shorten-json.ts";

it("leaves a small value unchanged", () => {
  expect(shortenJson({ rows: [1, 2] }, 100)).toEqual({ value: { rows: [1, 2] } });
});

it("cuts lists and texts, keeps the shape, and marks the cut", () => {
  const rows: Json[] = Array.from({ length: 1_000 }, (_, index) => ({ index, text: "t".repeat(50) }));
  const { value, note } = shortenJson({ columns: ["index", "text"], rows }, 5_000);
  expect(JSON.stringify(value).length).toBeLessThanOrEqual(5_000);
  expect(value).toEqual({ columns: ["index", "text"], rows: rows.slice(0, 50) });
  expect(note).toContain("cut to 50 entries");
});

it("falls back to the start of the JSON as text when no cut is enough", () => {
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index]));
  const { value, note } = shortenJson(wide, 300);
  expect(value).toBe(JSON.stringify(wide).slice(0, 300));
  expect(note).toContain("first 300 of");
});
