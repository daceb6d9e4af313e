import { PlannedBy } from "@planwright/plan";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { FigurePart } from "./figure-sum.ts";
import { SUM_NAMES } from "./figures-table.ts";
import { createGroups, countPeriods, periodOf } from "./metrics-groups.ts";
import type { FiguresPage } from "./kpis.ts";

const FROM_MS = Date.UTC(2026, 0, 31, 10, 20);
const TO_MS = FROM_MS + 5 * 3_600_000;
const NOTHING = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as FigurePart;

const plan = fc.record({
  strategy: fc.constantFrom(...PlannedBy.options),
  endedMs: fc.integer({ min: FROM_MS, max: TO_MS - 1 }),
  durationMs: fc.nat(10_000),
  outcome: fc.constantFrom("succeeded" as const, "failed" as const, "cancelled" as const),
  inputTokens: fc.nat(1_000),
});

it("counts every plan once in total, once by strategy and once by period, however the plans are split into pages", () => {
  fc.assert(
    fc.property(fc.array(fc.array(plan, { maxLength: 20 }), { maxLength: 5 }), (pages) => {
      const groups = createGroups({ period: "hour", fromMs: FROM_MS }, TO_MS);
      for (const plans of pages) {
        const page: FiguresPage = {
          slowTools: [],
          plans: plans.length,
          parts: plans.map(({ strategy, endedMs, outcome, inputTokens }) => ({
            ...NOTHING,
            strategy,
            period: periodOf("hour", endedMs),
            plans: 1,
            [outcome]: 1,
            inputTokens,
          })),
          times: plans.flatMap(({ strategy, endedMs, durationMs, outcome }) =>
            outcome === "succeeded" ? [[strategy, periodOf("hour", endedMs), durationMs] as const] : [],
          ),
          tools: [],
        };
        groups.add(page);
      }
      const { all, byStrategy, byPeriod = [] } = groups.result();
      expect(all.plans).toBe(pages.flat().length);
      expect(byPeriod).toHaveLength(countPeriods("hour", { fromMs: FROM_MS, toMs: TO_MS }));
      for (const parts of [byStrategy, byPeriod]) {
        const sumOf = (value: (one: (typeof parts)[number]) => number) =>
          parts.reduce((sum, one) => sum + value(one), 0);
        expect(sumOf(({ plans }) => plans)).toBe(all.plans);
        expect(sumOf(({ succeeded }) => succeeded)).toBe(all.succeeded);
        expect(sumOf(({ failed }) => failed)).toBe(all.failed);
        expect(sumOf(({ tokens }) => tokens.input)).toBe(all.tokens.input);
      }
      const times = pages.flat().filter(({ outcome }) => outcome === "succeeded");
      const { p50, p90, p95, p99 } = all.timeToCompletionMs;
      const measured = new Set<number | null>(times.map(({ durationMs }) => durationMs));
      const percentiles = [p50, p90, p95, p99];
      expect(percentiles.every((value) => (times.length === 0 ? value === null : measured.has(value)))).toBe(
        true,
      );
      expect(percentiles).toEqual(percentiles.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
      expect(Date.parse(byPeriod[0]?.from ?? "")).toBe(FROM_MS);
      expect(Date.parse(byPeriod.at(-1)?.to ?? "")).toBe(TO_MS);
    }),
  );
});
