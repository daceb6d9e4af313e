import { formatUsd } from "@planwright/plan/amounts";
import type { Quota } from "@planwright/client";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const COLUMNS: readonly Column<Quota>[] = [
  { title: "QUOTA", of: ({ name }) => name },
  { title: "OF", of: (quota) => (quota.of === "key" ? "this key" : "the tenant") },
  {
    title: "USED",
    of: (quota) => amount(quota, quota.used),
    style: ({ used, limit }) => (used < limit ? "reset" : "red"),
  },
  { title: "LIMIT", of: (quota) => amount(quota, quota.limit) },
  { title: "RESETS", of: ({ resetsAt }) => resetsAt ?? "-" },
];

/** `planwright quotas`: what the tenant and the key may use, and what they use of it. */
export function quotasCommand(context: CommandContext): Command {
  return new Command("quotas")
    .description("list the quotas of your tenant and of your key, with what is used of them")
    .action(async (_options: unknown, command: Command) => {
      const quotas = await clientOf(command, context).quotas.list();
      const output = outputOf(command, context);
      output.result({ quotas }, () => output.table(COLUMNS, quotas));
      if (quotas.length === 0) output.note("\nNothing is limited: the policy file sets no quota.");
    });
}

function amount({ name }: Quota, value: number): string {
  return name.startsWith("usd") ? formatUsd(value) : value.toLocaleString("en");
}
