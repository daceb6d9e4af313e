/** The changes that a program made to a table, row by row. */
import { z } from "zod";

/** A value of a row. Integers beyond 2^53 are text, so that no digit is lost; bytes are base64. */
export const Cell = z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.string() })]);
export type Cell = z.infer<typeof Cell>;

export const Cells = z.record(z.string(), Cell);
export type Cells = z.infer<typeof Cells>;

const About = {
  table: z.string().min(1),
  /** The primary key, column by column. */
  key: Cells,
};

export const RowChange = z.discriminatedUnion("op", [
  z.strictObject({ ...About, op: z.literal("insert"), before: z.null(), after: Cells }),
  /** Only the changed columns. */
  z.strictObject({ ...About, op: z.literal("update"), before: Cells, after: Cells }),
  z.strictObject({ ...About, op: z.literal("delete"), before: Cells, after: z.null() }),
]);
export type RowChange = z.infer<typeof RowChange>;

/** Names a row: `inventory SG005`, `lines 7/2`. */
export function nameOfRow({ table, key }: Pick<RowChange, "table" | "key">): string {
  return `${table} ${Object.values(key).map(cellInWords).join("/")}`;
}

export function cellInWords(cell: Cell | undefined): string {
  return typeof cell === "string" ? cell : JSON.stringify(cell ?? null);
}
