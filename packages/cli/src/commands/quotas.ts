import { formatUsd } from "@planwright/plan/amounts";
import type { Quota } from "@planwright/client";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";

function columnsOf({ time }: Output): readonly Column<Quota>[] {
  return [
    { title: "QUOTA", of: ({ name }) => name },
    { title: "SCOPE", of: (quota) => (quota.of === "key" ? "this key" : "tenant") },
    {
      title: "USED",
      of: (quota) => amount(quota, quota.used),
      style: ({ used, limit }) => (used < limit ? "reset" : "red"),
    },
    { title: "LIMIT", of: (quota) => amount(quota, quota.limit) },
    { title: "RESETS", of: ({ resetsAt }) => (resetsAt === undefined ? "-" : time(resetsAt)) },
  ];
}

/** `planwright quotas`: the quotas of the tenant and the key, and their usage. */
export function quotasCommand(context: CommandContext): Command {
  return new Command("quotas")
    .description("Show the quotas of your tenant and key, with their usage")
    .action(async (_options: unknown, command: Command) => {
      const quotas = await clientOf(command, context).quotas.list();
      const output = outputOf(command, context);
      output.result({ quotas }, () => output.table(columnsOf(output), quotas), quotas);
      if (quotas.length === 0) output.note("\nNo quotas: the policy file sets none.");
    });
}

function amount({ name }: Quota, value: number): string {
  return name.startsWith("usd") ? formatUsd(value) : value.toLocaleString("en");
}
