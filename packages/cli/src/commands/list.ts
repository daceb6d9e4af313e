import { isRefusal, statusLabel } from "@planwright/plan/status-label";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Summary = z.looseObject({
  planId: z.string(),
  goal: z.string(),
  status: z.string(),
  answerStatus: z.string().optional(),
  submittedAt: z.string(),
  parent: z.string().optional(),
  progress: z.looseObject({ done: z.number(), total: z.number(), percent: z.number() }),
});
type Summary = z.infer<typeof Summary>;
const Page = z.object({ plans: z.array(Summary), nextCursor: z.string().optional() });

const Options = z.object({
  status: z.string().optional(),
  search: z.string().optional(),
  parent: z.string().optional(),
  limit: z.string().optional(),
  cursor: z.string().optional(),
});

const COLUMNS: readonly Column<Summary>[] = [
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
/** Shown when one of the plans is a sub-plan: plans have long ids. */
const PARENT: Column<Summary> = { title: "SUB-PLAN OF", of: ({ parent = "" }) => parent };

/** The goal, as the last column, takes the room that is left. */
function columnsFor(plans: readonly Summary[]): readonly Column<Summary>[] {
  return plans.some(({ parent }) => parent !== undefined) ? COLUMNS.toSpliced(-1, 0, PARENT) : COLUMNS;
}

const STYLES: Readonly<Record<string, "green" | "yellow" | "red" | "cyan">> = {
  succeeded: "green",
  partial: "yellow",
  failed: "red",
  running: "cyan",
  "awaiting-approval": "yellow",
};

/** `planwright list`: plans, the newest first. */
export function listCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list plans, the newest first")
    .option("--status <status>", "only those that are in it, such as running, awaiting-approval or partial")
    .option("--search <words>", "only those whose goal, metadata or id has these words")
    .option("--parent <plan>", "only sub-plans of this plan")
    .option("--limit <count>", "how many at most; 50 without it")
    .option("--cursor <cursor>", "where the page before ended")
    .action(async (given: unknown, command: Command) => {
      const { search: q, ...options } = Options.parse(given);
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...options, q }))
        if (value !== undefined) query.set(name, value);
      const page = await clientOf(command, context).get(`/v1/plans?${query.toString()}`, Page);
      const output = outputOf(command, context);
      output.result(page, () => output.table(columnsFor(page.plans), page.plans));
      if (page.nextCursor !== undefined) output.note(`\nmore: --cursor ${page.nextCursor}`);
    });
}
