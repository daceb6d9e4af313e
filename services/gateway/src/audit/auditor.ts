/** Decides which entries are written to the audit log. */
import { accessOf, ENDPOINTS } from "@planwright/api";
import type { AuditedAction } from "@planwright/plan/audit";
import type { Logger } from "@planwright/shared/service";
import { setTimeout as delay } from "node:timers/promises";
import type { Authenticated } from "../http/authenticate.ts";
import { Problem } from "../http/problem.ts";
import type { AuditLog } from "./audit-log.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** How long a response waits for its audit entry to be stored. After that it is sent, and the entry is stored later. */
const WAIT_MS = 2_000;
const REMEMBERED_MAX = 10_000;
const VALUE_CHARS_MAX = 200;

/**
 * Endpoints that are never recorded: spans, protocols that record their own messages and tool calls, and a check that reads and
 * stores nothing.
 */
const NEVER = new Set(["receiveTraces", "callMcp", "openSocket", "checkPlan"]);

export type Noted = {
  readonly caller: Pick<Authenticated, "tenant" | "identity" | "role">;
  /** The id of an endpoint, or `signIn`. */
  readonly action: string;
  readonly via: AuditedAction["via"];
  readonly on: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly outcome: string;
};

export type Auditor = {
  /**
   * Resolves immediately for reads, and for changes once the entry is stored (see {@link WAIT_MS}), before the response is sent.
   * Records nothing without keys: there is only one user.
   */
  readonly note: (noted: Noted) => Promise<void>;
  /** @throws {Problem} `unavailable` while the log cannot be written. */
  readonly refuseWhenBlocked: (caller: Pick<Authenticated, "identity">) => void;
};

export function createAuditor({
  auditLog,
  now,
  log,
}: {
  readonly auditLog: Pick<AuditLog, "append" | "isBlocked">;
  readonly now: () => Date;
  readonly log: Logger;
}): Auditor {
  const remembered = new Map<string, number>();
  /** Whether the same entry was recorded recently. */
  const isRepeated = (key: string, withinMs: number): boolean => {
    const at = now().getTime();
    const before = remembered.get(key);
    if (before !== undefined && at - before < withinMs) return true;
    remembered.delete(key);
    remembered.set(key, at);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
    return false;
  };
  return {
    async note({ caller: { tenant, identity, role }, action, via, on, from, outcome }) {
      const frequency = FREQUENCIES.get(action) ?? "never";
      if (identity === undefined || frequency === "never") return;
      const what = { by: identity, role, action, via, on: textsOf(on), from, outcome };
      const withinMs = withinOf(frequency, outcome);
      if (withinMs > 0 && isRepeated(JSON.stringify(what), withinMs)) return;
      const stored = auditLog.append({ at: now().toISOString(), tenant, ...what });
      if (frequency === "hourly") return;
      const late = await Promise.race([stored, delay(WAIT_MS, "late", { ref: false })]);
      if (late !== undefined) log.warn({ tenant, action }, "response sent before its audit entry was stored");
    },
    refuseWhenBlocked({ identity }) {
      if (identity === undefined || !auditLog.isBlocked) return;
      throw new Problem("unavailable", "the audit log cannot be written; try again", { retryAfterS: 1 });
    },
  };
}

type Frequency = "each" | "hourly" | "never";

/**
 * How often each action is recorded: changes always; reads of a plan, of keys and of this log once an hour; lists and metrics
 * never.
 */
const FREQUENCIES: ReadonlyMap<string, Frequency> = new Map([
  // A browser redirected by the identity provider; not a call of the HTTP interface.
  ["signIn", "each"] as [string, Frequency],
  ...ENDPOINTS.map((endpoint): [string, Frequency] => {
    const { id, method, params } = endpoint;
    if (NEVER.has(id)) return [id, "never"];
    if (method !== "GET") return [id, "each"];
    return [id, params !== undefined || accessOf(endpoint) === "administer" ? "hourly" : "never"];
  }),
]);

/** A client that repeats a refused request must not flood the log. */
function withinOf(frequency: Frequency, outcome: string): number {
  if (frequency === "hourly") return HOUR_MS;
  return outcome === "done" ? 0 : MINUTE_MS;
}

function textsOf(on: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(on).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[name, String(value).slice(0, VALUE_CHARS_MAX)] as const]
      : [],
  );
  return Object.fromEntries(texts);
}
