import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Source = z.looseObject({
  name: z.string(),
  kind: z.string(),
  origin: z.string(),
  writable: z.boolean(),
  tables: z.array(z.looseObject({ name: z.string(), rows: z.number().nullable() })).optional(),
  fault: z.string().optional(),
});
type Source = z.infer<typeof Source>;
const Reply = z.object({ sources: z.array(Source) });

const COLUMNS: readonly Column<Source>[] = [
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
      const { sources } = await clientOf(command, context).get("/v1/data", Reply);
      const output = outputOf(command, context);
      output.result(sources, () => output.table(COLUMNS, sources));
      if (sources.length === 0) output.note("\nThere is none yet: upload one, or name it in sources.json.");
    });
}

function tablesInWords(tables: Source["tables"]): string {
  if (tables === undefined) return "nobody has looked into it yet";
  return tables.map(({ name, rows }) => (rows === null ? name : `${name} (${rows})`)).join(", ");
}
