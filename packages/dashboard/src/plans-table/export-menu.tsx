import { useState } from "react";
import { useAction } from "../api/use-action.ts";
import type { PlanSummary, PlanPage } from "../api/api-types.ts";
import { type ListFilter, queryOf } from "../plans/list-filter.ts";
import type { ListOrder } from "../plans/list-order.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { saveAs } from "../ui/save-link.tsx";
import { Popup } from "../ui/popup.tsx";
import { EXPORT_MENU } from "./plans-table-words.ts";
import { csvOf } from "../values/write-csv.ts";

/** Maximum number of plans in one file. */
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
    // A plan that changes meanwhile can be on two pages.
    for (const plan of page.plans) plans.set(plan.planId, plan);
    cursor = page.nextCursor;
  } while (cursor !== undefined && plans.size <= EXPORTED_MAX);
  const all = [...plans.values()];
  return { plans: all.slice(0, EXPORTED_MAX), more: all.length > EXPORTED_MAX || cursor !== undefined };
}

const PAGE = 200;
const TYPES: Readonly<Record<ExportFormat, string>> = { csv: "text/csv", json: "application/json" };
const MAX_TEXT = EXPORTED_MAX.toLocaleString("en");

/** Saves the plans that match the filters, in the order of the table. */
export function ExportMenu({ filter, order }: { readonly filter: ListFilter; readonly order: ListOrder }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  const [text, setText] = useState("");
  const save = (format: ExportFormat) =>
    run(async (signal) => {
      setText("");
      const query = { ...queryOf(filter, Date.now()), ...order, limit: PAGE };
      const { plans, more } = await plansToExport((cursor) =>
        gateway.plans({ ...query, ...(cursor !== undefined && { cursor }) }, signal),
      );
      savePlans(plans, format);
      setText(
        more
          ? EXPORT_MENU.exportedFirst(formatCount(plans.length, "plan"))
          : EXPORT_MENU.exported(formatCount(plans.length, "plan")),
      );
    });
  return (
    <Popup label={EXPORT_MENU.export}>
      {() => (
        <>
          <p>{EXPORT_MENU.all(MAX_TEXT)}</p>
          <ExportButtons busy={busy} onExport={(format) => void save(format)} />
          <p role="status">{busy ? EXPORT_MENU.exporting : text}</p>
          {error !== undefined && <p role="alert">{error.message}</p>}
        </>
      )}
    </Popup>
  );
}

/** Saves selected plans. */
export function ExportSelected({ selected }: { readonly selected: readonly PlanSummary[] }) {
  const exported = selected.slice(0, EXPORTED_MAX);
  return (
    <Popup label={EXPORT_MENU.exportSelected}>
      {(close) => (
        <>
          <p>
            {exported.length < selected.length
              ? EXPORT_MENU.theFirstOf(MAX_TEXT, formatCount(selected.length, "plan"))
              : `${formatCount(selected.length, "plan")}:`}
          </p>
          <ExportButtons
            busy={false}
            onExport={(format) => {
              savePlans(exported, format);
              close();
            }}
          />
        </>
      )}
    </Popup>
  );
}

function ExportButtons({
  busy,
  onExport,
}: {
  readonly busy: boolean;
  readonly onExport: (format: ExportFormat) => void;
}) {
  return (
    <div className="flex gap-2">
      {(["csv", "json"] as const).map((format) => (
        <Button key={format} disabled={busy} onClick={() => onExport(format)}>
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}

function savePlans(plans: readonly PlanSummary[], format: ExportFormat): void {
  saveAs(`plans.${format}`, new Blob([exportOf(plans, format)], { type: `${TYPES[format]};charset=utf-8` }));
}
