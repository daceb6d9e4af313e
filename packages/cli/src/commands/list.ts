import { isRefusal, statusLabel } from "@planwright/plan/status-label";
import type { PlanQuery, PlanSummary } from "@planwright/client";
import { Command } from "commander";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";
import { findPlanId, shortIdsOf } from "../plans/short-ids.ts";

const Options = z.object({
  status: z.string().optional(),
  search: z.string().optional(),
  parent: z.string().optional(),
  limit: z.string().optional(),
  cursor: z.string().optional(),
});

/** The goal is the last column, which takes the remaining width. */
function columnsOf(plans: readonly PlanSummary[], { kind, time }: Output): readonly Column<PlanSummary>[] {
  const shortId = shortIdsOf(
    plans.flatMap(({ planId, parent }) => (parent === undefined ? planId : [planId, parent])),
  );
  const id = (planId: string): string => (kind === "terminal" ? shortId(planId) : planId);
  const hasSubPlans = plans.some(({ parent }) => parent !== undefined);
  return [
    { title: "PLAN", of: ({ planId }) => id(planId) },
    {
      title: "STATUS",
      of: ({ status, answerStatus }) => statusLabel(status, answerStatus),
      style: ({ status, answerStatus }) =>
        isRefusal(status, answerStatus) ? "yellow" : (STYLES[status] ?? "reset"),
    },
    { title: "STEPS", of: ({ progress: { done, total } }) => `${done}/${total}` },
    { title: "SUBMITTED", of: ({ submittedAt }) => time(submittedAt), style: () => "dim" },
    ...(hasSubPlans
      ? [{ title: "PARENT", of: ({ parent }: PlanSummary) => (parent === undefined ? "" : id(parent)) }]
      : []),
    { title: "GOAL", of: ({ goal }) => goal },
  ];
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
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const parent = options.parent === undefined ? undefined : await findPlanId(client, options.parent);
      const page = await client.plans.list({ ...query, parent }).firstPage();
      output.result(page, () => output.table(columnsOf(page.plans, output), page.plans), page.plans);
      if (page.plans.length === 0)
        output.note(`\nNo plans. Submit one: ${COMMAND} submit --watch "your goal"`);
      if (page.nextCursor !== undefined) output.note(`\nNext page: --cursor ${page.nextCursor}`);
    });
}
