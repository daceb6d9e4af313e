/**
 * The audit log of a tenant: entries that each carry the hash of the one before.
 *
 * Invariants:
 *   AUDIT-1. Numbers count from 1 without gaps, and `previous` is the hash of the entry before.
 *   AUDIT-2. An entry that was changed, or left out between two others, is found by {@link verifyAudit}.
 */
import { z } from "zod";
import { canonicalJson } from "../canonical-json.ts";
import { sha256 } from "../sha256.ts";
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

/** What happened, before it has a place in the log. */
export type AuditedAction = Omit<AuditEntry, "number" | "previous" | "hash">;

/** The last entry, as far as the next one needs it. */
export type AuditHead = Pick<AuditEntry, "number" | "hash">;

export const AUDIT_START: AuditHead = { number: 0, hash: "0".repeat(64) };

/** Gives actions their places behind the last entry. */
export function linkAudit(head: AuditHead, actions: readonly AuditedAction[]): AuditEntry[] {
  let last = head;
  return actions.map((action) => {
    const unsigned = { number: last.number + 1, ...action, previous: last.hash };
    const entry = { ...unsigned, hash: hashOf(unsigned) };
    last = entry;
    return entry;
  });
}

export type AuditFault = { readonly number: number; readonly fault: string };
export type AuditReport = {
  readonly entries: number;
  /** Above 1 when older entries have passed their retention, or were left out. */
  readonly first: number | undefined;
  /** Keep it: a later log must contain it, or its end was cut off. */
  readonly last: AuditHead | undefined;
  readonly faults: readonly AuditFault[];
};

/** Returns whether entries, in the order of the log, are whole and unchanged. */
export function verifyAudit(entries: Iterable<AuditEntry>): AuditReport {
  const faults: AuditFault[] = [];
  let first: number | undefined;
  let last: AuditHead | undefined;
  let count = 0;
  for (const { hash, ...unsigned } of entries) {
    const { number, previous } = unsigned;
    count += 1;
    first ??= number;
    if (hashOf(unsigned) !== hash) faults.push({ number, fault: "was changed: its hash is another one" });
    const before = last ?? (number === 1 ? AUDIT_START : undefined);
    if (before !== undefined && number !== before.number + 1)
      faults.push({ number, fault: `follows entry ${before.number}: entries are missing between them` });
    else if (before !== undefined && previous !== before.hash)
      faults.push({ number, fault: `does not follow the entry ${before.number} that is there` });
    last = { number, hash };
  }
  return { entries: count, first, last, faults };
}

function hashOf(unsigned: Omit<AuditEntry, "hash">): string {
  return sha256(canonicalJson(unsigned));
}
