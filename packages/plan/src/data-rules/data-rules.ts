/** Rules that every change to a data source must satisfy, regardless of its author. They are declared once, with the source. */
import { z } from "zod";

const Column = z.string().min(1).max(200);
const Bounds = z.record(Column, z.number());

export const TableRules = z.strictObject({
  insert: z.boolean().default(true).meta({ description: "Whether rows may be added." }),
  update: z
    .union([z.boolean(), z.array(Column).max(200)])
    .default(true)
    .meta({ description: "Whether rows may be changed, or the only columns that may." }),
  delete: z.boolean().default(true).meta({ description: "Whether rows may be deleted." }),
  min: Bounds.optional().meta({ description: "Minimum values of columns in added or changed rows." }),
  max: Bounds.optional().meta({ description: "Maximum values of columns in added or changed rows." }),
  onePerItem: z.strictObject({ table: Column, column: Column }).optional().meta({
    description: "Exactly one row must be added here for each row of `table` whose `column` changes.",
  }),
  running: z.strictObject({ balance: Column, amount: Column }).optional().meta({
    description:
      "The `balance` of each added row must be the balance of the previous row plus its own `amount`.",
  }),
});
export type TableRules = z.infer<typeof TableRules>;

/** By table. What is not mentioned may change as it likes; only primary keys never do. */
export const DataRules = z.record(Column, TableRules);
export type DataRules = z.infer<typeof DataRules>;
