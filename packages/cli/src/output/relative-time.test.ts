import { expect, it } from "vitest";
import { relativeTime } from "./relative-time.ts";

const NOW = Date.parse("2026-01-31T12:00:00Z");

it.each([
  ["2026-01-31T11:59:59Z", "just now"],
  ["2026-01-31T12:00:01Z", "just now"],
  ["2026-01-31T11:59:15Z", "45s ago"],
  ["2026-01-31T11:56:30Z", "3m ago"],
  ["2026-01-31T09:30:00Z", "2h ago"],
  ["2026-01-01T00:00:00Z", "30d ago"],
  ["2026-01-31T14:00:00Z", "in 2h"],
  ["never", "never"],
])("writes %s as %s", (at, text) => {
  expect(relativeTime(at, NOW)).toBe(text);
});
