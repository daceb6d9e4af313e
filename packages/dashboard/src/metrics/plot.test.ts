import { expect, it } from "vitest";
import { queryOf, readFilter } from "../plans/list-filter.ts";
import { plansHref } from "./plot.tsx";

const FROM = "2026-01-31T10:00:00.000Z";
const TO = "2026-01-31T11:00:00.000Z";
const askedBy = (href: string) => queryOf(readFilter(new URL(href, "http://x").search), 0);

it("links to the plans that ended in a time span, without sub-plans", () => {
  expect(askedBy(plansHref({ from: FROM, to: TO }, {}))).toEqual({
    endedSince: FROM,
    endedBefore: TO,
    subPlans: "none",
  });
});

it("links to the plans of an outcome, a strategy and a tool", () => {
  const href = plansHref(
    { to: TO },
    { strategy: "parallel" },
    { outcome: "failed", failedTool: "web.search" },
  );
  expect(askedBy(href)).toEqual({
    endedBefore: TO,
    strategy: "parallel",
    outcome: "failed",
    failedTool: "web.search",
    subPlans: "none",
  });
});
