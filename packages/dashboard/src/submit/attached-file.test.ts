import { expect, it } from "vitest";
import { freeName, kindOf, SOURCE_BYTES_MAX, sourceNameOf } from "./attached-file.ts";

it.each([
  ["sales.csv", "csv"],
  ["Sales.TSV", "csv"],
  ["store.v2.db", "sqlite"],
  ["notes.md", "text"],
])("%s is %s", (name, kind) => {
  expect(kindOf({ name, size: 1 })).toBe(kind);
});

it.each([
  ["picture.png", 1, /use CSV/],
  ["noextension", 1, /use CSV/],
  ["odd.constructor", 1, /use CSV/],
  ["odd.__proto__", 1, /use CSV/],
  ["empty.csv", 0, /is empty/],
  ["huge.csv", SOURCE_BYTES_MAX + 1, /limit is 64 MiB/],
])("%s of %i bytes cannot be attached", (name, size, fault) => {
  expect(kindOf({ name, size })).toEqual({ fault: expect.stringMatching(fault) });
});

it.each([
  ["sales.csv", "sales"],
  ["Umsätze 2025 (final).csv", "Umsatze-2025-final"],
  ["2025-sales.csv", "sales"],
  ["销售.csv", "data"],
  [".csv", "data"],
  ["archive.tar.csv", "archive-tar"],
  [`${"a".repeat(80)}.csv`, "a".repeat(64)],
])("%s becomes the source %s", (file, name) => {
  expect(sourceNameOf(file)).toBe(name);
});

it("adds the first free number to a name that is already used", () => {
  expect(freeName("sales", new Set(["stores"]))).toBe("sales");
  expect(freeName("sales", new Set(["sales", "sales-2"]))).toBe("sales-3");
  expect(freeName("a".repeat(64), new Set(["a".repeat(64)]))).toBe(`${"a".repeat(62)}-2`);
});
