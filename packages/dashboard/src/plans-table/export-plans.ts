/** Plans as files: CSV for spreadsheets, JSON for programs. */
import type { PlanPage, PlanSummary } from "../api/api-types.ts";
import { csvOf } from "../values/write-csv.ts";

/** Plans in one file. */
export const EXPORTED_MAX = 5_000;

export type ExportFormat = "csv" | "json";

type Field = readonly [name: string, of: (plan: PlanSummary) => string | number | undefined];
const FIELDS: readonly Field[] = [
  ["planId", ({ planId }) => planId],
  ["goal", ({ goal }) => goal],
  ["status", ({ status }) => status],
  ["answerStatus", ({ answerStatus }) => answerStatus],
  ["strategy", ({ strategy }) => strategy],
  ["submittedBy", ({ submittedBy }) => submittedBy],
  ["submittedAt", ({ submittedAt }) => submittedAt],
  ["endedAt", ({ endedAt }) => endedAt],
  ["durationMs", ({ durationMs }) => durationMs],
  ["stepsDone", ({ progress }) => progress.done],
  ["steps", ({ progress }) => progress.total],
  ["tokens", ({ tokens }) => tokens],
  ["costUsd", ({ costUsd }) => costUsd],
  ["parent", ({ parent }) => parent],
];

/** @returns The text of the file. */
export function exportOf(plans: readonly PlanSummary[], format: ExportFormat): string {
  if (format === "json") return `${JSON.stringify(plans, null, 2)}\n`;
  return csvOf([FIELDS.map(([name]) => name), ...plans.map((plan) => FIELDS.map(([, of]) => of(plan)))]);
}

/**
 * Reads plans page by page, up to {@link EXPORTED_MAX}.
 *
 * @returns The plans, and whether there are more than that.
 */
export async function plansToExport(
  readPage: (cursor: string | undefined) => Promise<PlanPage>,
): Promise<{ readonly plans: readonly PlanSummary[]; readonly more: boolean }> {
  const plans = new Map<string, PlanSummary>();
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    // A plan that has changed meanwhile may come on two pages.
    for (const plan of page.plans) plans.set(plan.planId, plan);
    cursor = page.nextCursor;
  } while (cursor !== undefined && plans.size <= EXPORTED_MAX);
  const all = [...plans.values()];
  return { plans: all.slice(0, EXPORTED_MAX), more: all.length > EXPORTED_MAX || cursor !== undefined };
}
