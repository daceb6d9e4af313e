import type { SourceInfo } from "@planwright/client";
import { Command } from "commander";
import { z } from "zod";
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

const Options = z.object({ delete: z.string().optional() });

/** `planwright data`: every data source, with its tables or its fault; or deletes one. */
export function dataCommand(context: CommandContext): Command {
  return new Command("data")
    .description("list the data sources that plans can use, with their tables or faults, or delete one")
    .option("--delete <source>", "delete an uploaded data source, with its file")
    .action(async (given: unknown, command: Command) => {
      const { delete: unwanted } = Options.parse(given);
      const { data } = clientOf(command, context);
      const output = outputOf(command, context);
      if (unwanted !== undefined) {
        await data.delete(unwanted);
        output.result({ deleted: unwanted }, () => output.line(`${unwanted} deleted`));
        return;
      }
      const sources = await data.list();
      output.result(sources, () => output.table(COLUMNS, sources));
      if (sources.length === 0) output.note("\nThere is none yet: upload one, or name it in sources.json.");
    });
}

function tablesInWords(tables: SourceInfo["tables"]): string {
  if (tables === undefined) return "nobody has looked into it yet";
  return tables.map(({ name, rows }) => (rows === null ? name : `${name} (${rows})`)).join(", ");
}
