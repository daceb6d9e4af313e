/** What must hold for whatever changes a data source, whoever wrote it: declared once, with the source. */
import { z } from "zod";

const Column = z.string().min(1).max(200);
const Bounds = z.record(Column, z.number());

export const TableRules = z.strictObject({
  insert: z.boolean().default(true).meta({ description: "Whether rows may be added." }),
  update: z
    .union([z.boolean(), z.array(Column).max(200)])
    .default(true)
    .meta({ description: "Whether rows may be changed, or the only columns that may." }),
  delete: z.boolean().default(true).meta({ description: "Whether rows may be taken away." }),
  min: Bounds.optional().meta({ description: "The least that a column may hold, of rows added or changed." }),
  max: Bounds.optional().meta({ description: "The most that a column may hold, of rows added or changed." }),
  onePerItem: z.strictObject({ table: Column, column: Column }).optional().meta({
    description:
      "One row is added here for each row of `table` whose `column` changes: no more, no fewer, and none for two of them.",
  }),
  running: z.strictObject({ balance: Column, amount: Column }).optional().meta({
    description: "The `balance` of each row added is that of the row before it plus its own `amount`.",
  }),
});
export type TableRules = z.infer<typeof TableRules>;

/** By table. What is not mentioned may change as it likes; only primary keys never do. */
export const DataRules = z.record(Column, TableRules);
export type DataRules = z.infer<typeof DataRules>;
