import type { ToolSpec } from "@planwright/client";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const COLUMNS: readonly Column<ToolSpec>[] = [
  { title: "TOOL", of: ({ name }) => name },
  { title: "RISK", of: ({ risk }) => risk, style: ({ risk }) => STYLES[risk] ?? "reset" },
  { title: "EFFECT", of: ({ effect }) => effect },
  { title: "POOL", of: ({ pool }) => pool },
  { title: "DESCRIPTION", of: ({ description }) => firstSentence(description) },
];
const STYLES: Readonly<Record<string, "green" | "yellow" | "red">> = {
  low: "green",
  medium: "yellow",
  high: "red",
};

/** `planwright tools`: lists every tool that plans can use. */
export function toolsCommand(context: CommandContext): Command {
  return new Command("tools")
    .description("List tools with their risk, effect and pool")
    .action(async (_options: unknown, command: Command) => {
      const { tools } = await clientOf(command, context).tools.list();
      const output = outputOf(command, context);
      output.result(tools, () => output.table(COLUMNS, tools));
      output.note(
        `\n${tools.length} tools. By default, high-risk tools require approval; medium-risk calls are recorded in the effect ledger.`,
      );
    });
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
