import type { SourceInfo, ToolSpec } from "@planwright/client";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const TOOL_COLUMNS: readonly Column<ToolSpec>[] = [
  { title: "TOOL", of: ({ name }) => name },
  { title: "RISK", of: ({ risk }) => risk, style: ({ risk }) => RISK_STYLES[risk] ?? "reset" },
  { title: "EFFECT", of: ({ effect }) => effect },
  { title: "POOL", of: ({ pool }) => pool },
  { title: "DESCRIPTION", of: ({ description }) => firstSentence(description) },
];
const RISK_STYLES: Readonly<Record<string, "green" | "yellow" | "red">> = {
  low: "green",
  medium: "yellow",
  high: "red",
};

const COLUMNS: readonly Column<SourceInfo>[] = [
  { title: "SOURCE", of: ({ name }) => name },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "ORIGIN", of: ({ origin }) => origin },
  { title: "ACCESS", of: ({ writable }) => (writable ? "read-write" : "read-only") },
  {
    title: "TABLES",
    of: ({ tables, fault }) => fault ?? tablesText(tables),
    style: ({ fault }) => (fault === undefined ? "reset" : "red"),
  },
];

const Options = z.object({ delete: z.string().optional() });

/** `planwright data`: lists data sources with their tables or error, or deletes one. */
export function dataCommand(context: CommandContext): Command {
  return new Command("data")
    .description("List data sources with their tables or errors, or delete one")
    .option("--delete <source>", "Delete an uploaded data source and its file")
    .action(async (given: unknown, command: Command) => {
      const { delete: unwanted } = Options.parse(given);
      const { data } = clientOf(command, context);
      const output = outputOf(command, context);
      if (unwanted !== undefined) {
        await data.delete(unwanted);
        output.result({ deleted: unwanted }, () => output.line(`deleted ${unwanted}`));
        return;
      }
      const sources = await data.list();
      output.result(sources, () => output.table(COLUMNS, sources));
      if (sources.length === 0) output.note("\nNo data sources. Upload one, or add it to sources.json.");
    });
}

function tablesText(tables: SourceInfo["tables"]): string {
  if (tables === undefined) return "not inspected yet";
  return tables.map(({ name, rows }) => (rows === null ? name : `${name} (${rows})`)).join(", ");
}

/** `planwright tools`: lists every tool that plans can use. */
export function toolsCommand(context: CommandContext): Command {
  return new Command("tools")
    .description("List tools with their risk, effect and pool")
    .action(async (_options: unknown, command: Command) => {
      const { tools } = await clientOf(command, context).tools.list();
      const output = outputOf(command, context);
      output.result(tools, () => output.table(TOOL_COLUMNS, tools));
      output.note(
        `\n${tools.length} tools. By default, high-risk tools require approval; medium-risk calls are recorded in the effect ledger.`,
      );
    });
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
