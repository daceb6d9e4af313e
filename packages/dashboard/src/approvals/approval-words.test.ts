import { expect, it } from "vitest";
import { expiryText } from "./approval-words.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const after = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();

it.each([
  [-1, "expires now"],
  [0.2, "expires in less than 1 min"],
  [59.9, "expires in 59 min"],
  [60 * 24, "expires in 24 h"],
  [60 * 24 - 0.5, "expires in 23 h"],
  [60 * 72, "expires in 3 d"],
])("shows when an approval expires: %d min", (minutes, wanted) => {
  expect(expiryText(after(minutes), now)).toBe(wanted);
});
