import { isRefusal, statusLabel } from "@planwright/plan/status-label";
import type { PlanQuery, PlanSummary } from "@planwright/client";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Options = z.object({
  status: z.string().optional(),
  search: z.string().optional(),
  parent: z.string().optional(),
  limit: z.string().optional(),
  cursor: z.string().optional(),
});

const COLUMNS: readonly Column<PlanSummary>[] = [
  { title: "PLAN", of: ({ planId }) => planId },
  {
    title: "STATUS",
    of: ({ status, answerStatus }) => statusLabel(status, answerStatus),
    style: ({ status, answerStatus }) =>
      isRefusal(status, answerStatus) ? "yellow" : (STYLES[status] ?? "reset"),
  },
  { title: "STEPS", of: ({ progress: { done, total } }) => `${done}/${total}` },
  { title: "SUBMITTED", of: ({ submittedAt }) => submittedAt.slice(0, 19).replace("T", " ") },
  { title: "GOAL", of: ({ goal }) => goal },
];
/** Shown only when one of the plans is a sub-plan: plan ids are long. */
const PARENT: Column<PlanSummary> = { title: "PARENT", of: ({ parent = "" }) => parent };

/** Keeps the goal in the last column, which takes the remaining width. */
function columnsFor(plans: readonly PlanSummary[]): readonly Column<PlanSummary>[] {
  return plans.some(({ parent }) => parent !== undefined) ? COLUMNS.toSpliced(-1, 0, PARENT) : COLUMNS;
}

const STYLES: Readonly<Record<string, "green" | "yellow" | "red" | "cyan">> = {
  succeeded: "green",
  partial: "yellow",
  failed: "red",
  running: "cyan",
  "awaiting-approval": "yellow",
};

/** `planwright list`: lists plans, newest first. */
export function listCommand(context: CommandContext): Command {
  return new Command("list")
    .description("List plans, newest first")
    .option("--status <status>", "Filter by status, such as running, awaiting-approval or partial")
    .option("--search <words>", "Filter by words in the goal, metadata or ID")
    .option("--parent <plan>", "Only sub-plans of this plan")
    .option("--limit <count>", "Maximum number of results (default: 50)")
    .option("--cursor <cursor>", "Pagination cursor from the previous page")
    .action(async (given: unknown, command: Command) => {
      const { search: q, ...options } = Options.parse(given);
      // The gateway checks the values; its error lists the valid ones.
      const query = { ...options, q } as PlanQuery;
      const page = await clientOf(command, context).plans.list(query).firstPage();
      const output = outputOf(command, context);
      output.result(page, () => output.table(columnsFor(page.plans), page.plans));
      if (page.nextCursor !== undefined) output.note(`\nNext page: --cursor ${page.nextCursor}`);
    });
}
