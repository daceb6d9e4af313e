import { z } from "zod";
import { Bytes, GuestTable } from "../sandbox/program.ts";

/** Maximum size of a source that a program is given as a whole. */
export const SNAPSHOT_BYTES_MAX = 16 * 1024 * 1024;

export const Snapshot = z.object({
  bytes: Bytes,
  tables: z.array(GuestTable),
  /** The running balance in a table's last row; null when it has none. */
  balances: z.record(z.string(), z.number().nullable()),
});
export type Snapshot = z.infer<typeof Snapshot>;
