import type { SourceInfo } from "@planwright/client";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const COLUMNS: readonly Column<SourceInfo>[] = [
  { title: "SOURCE", of: ({ name }) => name },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "FROM", of: ({ origin }) => origin },
  { title: "PLANS MAY", of: ({ writable }) => (writable ? "change it" : "read it") },
  {
    title: "TABLES",
    of: ({ tables, fault }) => fault ?? tablesInWords(tables),
    style: ({ fault }) => (fault === undefined ? "reset" : "red"),
  },
];

/** `planwright data`: every data source, with its tables or its fault. */
export function dataCommand(context: CommandContext): Command {
  return new Command("data")
    .description("list the data sources that plans can use, with their tables or what is wrong with them")
    .action(async (_options: unknown, command: Command) => {
      const sources = await clientOf(command, context).data.list();
      const output = outputOf(command, context);
      output.result(sources, () => output.table(COLUMNS, sources));
      if (sources.length === 0) output.note("\nThere is none yet: upload one, or name it in sources.json.");
    });
}

function tablesInWords(tables: SourceInfo["tables"]): string {
  if (tables === undefined) return "nobody has looked into it yet";
  return tables.map(({ name, rows }) => (rows === null ? name : `${name} (${rows})`)).join(", ");
}
