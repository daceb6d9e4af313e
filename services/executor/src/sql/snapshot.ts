import { z } from "zod";
import { Bytes, GuestTable } from "../sandbox/program.ts";

/** Of a source that a program is given whole. */
export const SNAPSHOT_BYTES_MAX = 16 * 1024 * 1024;

export const Snapshot = z.object({
  bytes: Bytes,
  tables: z.array(GuestTable),
  /** What the running balance of a table is, in its last row; null when it has none. */
  balances: z.record(z.string(), z.number().nullable()),
});
export type Snapshot = z.infer<typeof Snapshot>;
