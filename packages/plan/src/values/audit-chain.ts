/**
 * The audit log of a tenant: entries that each contain the hash of the previous one.
 *
 * Invariants:
 *   AUDIT-1. Numbers count from 1 without gaps, and `previous` is the hash of the previous entry.
 *   AUDIT-2. A message of the log that is not an entry is a fault, and does not hide any other fault.
 *   AUDIT-3. {@link verifyAudit} finds an entry that was changed, or removed between two others.
 */
import { z } from "zod";
import { canonicalJson } from "./canonical-json.ts";
import { sha256 } from "./sha256.ts";
import { Role } from "../policy/roles.ts";

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

export const AuditEntry = z.object({
  number: z.int().positive().meta({ description: "From 1, without gaps, for each tenant." }),
  at: z.iso.datetime(),
  tenant: z.string(),
  by: z.string().meta({ description: "The identity of the key." }),
  role: Role,
  action: z
    .string()
    .meta({ description: "The id of the operation, such as `cancelPlan`, regardless of the interface." }),
  via: z.enum(["http", "websocket", "mcp"]),
  on: z.record(z.string(), z.string()).meta({
    description: "Details of the request: ids, names, and choices such as `decision`.",
  }),
  from: z.string().meta({ description: "The address of the client, or of the proxy before the gateway." }),
  outcome: z.string().meta({ description: "`done`, or the error code." }),
  previous: Hash.meta({ description: "The hash of the previous entry; zeros for the first one." }),
  hash: Hash.meta({ description: "SHA-256 of the entry without this field, as canonical JSON." }),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** A message in place of entries that cannot be read. */
export const AuditBreak = z.object({
  unreadable: z.object({
    sequence: z.int().positive().meta({ description: "Of the message in the stream `AUDIT`." }),
    at: z.iso.datetime().meta({ description: "When NATS stored it." }),
    bytes: z.int().nonnegative(),
    sha256: Hash.meta({ description: "Of the message." }),
  }),
});
export type AuditBreak = z.output<typeof AuditBreak>;

/** A line of an exported log. */
export const AuditLine = z.union([AuditEntry, AuditBreak]);
export type AuditLine = z.output<typeof AuditLine>;

/** An action before it is added to the log. */
export type AuditedAction = Omit<AuditEntry, "number" | "previous" | "hash">;

/** The fields of the last entry that the next one needs. */
export type AuditHead = Pick<AuditEntry, "number" | "hash">;

export const AUDIT_START: AuditHead = { number: 0, hash: "0".repeat(64) };

/** Appends actions to the log, after its last entry. */
export function linkAudit(head: AuditHead, actions: readonly AuditedAction[]): AuditEntry[] {
  let last = head;
  return actions.map((action) => {
    const unsigned = { number: last.number + 1, ...action, previous: last.hash };
    const entry = { ...unsigned, hash: hashOf(unsigned) };
    last = entry;
    return entry;
  });
}

export type AuditFault = {
  /** The number of an entry; 0 before the first. */
  readonly number: number;
  readonly fault: string;
};
export type AuditReport = {
  readonly entries: number;
  /** Greater than 1 if older entries have passed their retention, or were left out. */
  readonly first: number | undefined;
  /** Keep it: a later log must contain it, or its end was cut off. */
  readonly last: AuditHead | undefined;
  readonly faults: readonly AuditFault[];
};

/** Returns whether the lines of a log, in order, are complete and unchanged. */
export function verifyAudit(lines: Iterable<AuditLine>): AuditReport {
  const faults: AuditFault[] = [];
  let first: number | undefined;
  let last: AuditHead | undefined;
  let count = 0;
  for (const line of lines) {
    if ("unreadable" in line) {
      const fault = `is followed by message ${line.unreadable.sequence} of the stream, which is no entry`;
      faults.push({ number: last?.number ?? 0, fault });
      continue;
    }
    const { hash, ...unsigned } = line;
    const { number, previous } = unsigned;
    count += 1;
    first ??= number;
    if (hashOf(unsigned) !== hash) faults.push({ number, fault: "was changed: its hash does not match" });
    const before = last ?? (number === 1 ? AUDIT_START : undefined);
    if (before !== undefined && number !== before.number + 1)
      faults.push({ number, fault: `follows entry ${before.number}: entries are missing between them` });
    else if (before !== undefined && previous !== before.hash)
      faults.push({
        number,
        fault: `does not follow entry ${before.number}: its previous hash does not match`,
      });
    last = { number, hash };
  }
  return { entries: count, first, last, faults };
}

function hashOf(unsigned: Omit<AuditEntry, "hash">): string {
  return sha256(canonicalJson(unsigned));
}
