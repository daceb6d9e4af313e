/**
 * The tenants' audit logs, in a stream from which nothing can be deleted.
 *
 * Several gateways write to one log: each appends on condition that the last message is the one it knows; if not, it reads the
 * log's end and retries. Entries added while a message is in flight are sent together in the next one.
 */
import { parseJson } from "@planwright/plan";
import {
  AUDIT_START,
  type AuditBreak,
  AuditEntry,
  type AuditedAction,
  type AuditHead,
  type AuditLine,
  linkAudit,
} from "@planwright/plan/audit";
import type { StoredMsg } from "@nats-io/jetstream";
import {
  auditSubject,
  type Bus,
  ConflictError,
  type Publish,
  readEach,
  readFromLeader,
  STREAMS,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

/** The maximum number of entries in one message. */
const BATCH_MAX = 200;
/** The maximum number of entries not yet stored; above it, calls that need an entry are refused. */
const WAITING_MAX = 10_000;
const RETRY_MS = 500;
const FLUSH_MS = 2_000;
const READ_BATCH = 100;

const Batch = z.array(AuditEntry).min(1);
const Heads = z.array(AuditEntry.pick({ number: true, hash: true })).min(1);

export type AuditLog = AsyncDisposable & {
  /** Resolves once the entry is stored. Retries until it is, or until the gateway stops. */
  append(action: AuditedAction): Promise<void>;
  /** Whether too many entries are waiting to be stored to accept another. */
  readonly isBlocked: boolean;
  /** Oldest first, including unreadable messages between the entries. */
  read(tenant: string, after: number): AsyncIterable<AuditLine>;
};

type Waiting = { readonly action: AuditedAction; readonly stored: PromiseWithResolvers<void> };
type Deps = { readonly bus: Bus; readonly publish: Publish; readonly log: Logger };
/** The last entry of a log, and the sequence of its message. */
type Head = AuditHead & { readonly sequence: number };
/** The entries that one gateway writes for one tenant. */
type Chain = {
  readonly tenant: string;
  readonly queue: Waiting[];
  /** The head as this gateway knows it; undefined when another gateway may have written since. */
  head: Head | undefined;
  writing: Promise<void> | undefined;
};

export function openAuditLog(deps: Deps): AuditLog {
  const chains = new Map<string, Chain>();
  const stopping = new AbortController();
  const waiting = (): number => [...chains.values()].reduce((sum, { queue }) => sum + queue.length, 0);
  const start = (chain: Chain): void => {
    chain.writing ??= writeQueue(deps, chain, stopping.signal).finally(() => {
      chain.writing = undefined;
      // An entry was added after the writer's last check.
      if (chain.queue.length > 0 && !stopping.signal.aborted) start(chain);
    });
  };
  return {
    append(action) {
      const { tenant } = action;
      const chain = chains.get(tenant) ?? { tenant, queue: [], head: undefined, writing: undefined };
      chains.set(tenant, chain);
      const stored = Promise.withResolvers<void>();
      chain.queue.push({ action, stored });
      start(chain);
      return stored.promise;
    },
    get isBlocked() {
      return waiting() >= WAITING_MAX;
    },
    read: (tenant, after) => readLog(deps.bus, tenant, after),
    async [Symbol.asyncDispose]() {
      const writers = [...chains.values()].flatMap(({ writing }) => (writing === undefined ? [] : [writing]));
      await Promise.race([Promise.all(writers), delay(FLUSH_MS, undefined, { ref: false })]);
      stopping.abort();
      const entries = waiting();
      if (entries > 0) deps.log.error({ entries }, "could not store audit entries");
    },
  };
}

async function writeQueue({ bus, publish, log }: Deps, chain: Chain, signal: AbortSignal): Promise<void> {
  const { tenant, queue } = chain;
  /** The last message sent; it may have been stored even if the response was lost. */
  let sent: { readonly head: AuditHead; readonly count: number } | undefined;
  const settle = (count: number): void => {
    for (const { stored } of queue.splice(0, count)) stored.resolve();
    sent = undefined;
  };
  while (queue.length > 0 && !signal.aborted) {
    try {
      const head = chain.head ?? (await readHead(bus, tenant));
      if (sent?.head.hash === head.hash) settle(sent.count);
      const batch = queue.slice(0, BATCH_MAX).map(({ action }) => action);
      const entries = linkAudit(head, batch);
      const last = entries.at(-1);
      if (last === undefined) continue;
      sent = { head: last, count: entries.length };
      chain.head = undefined;
      const options = { id: last.hash, expect: { sequence: head.sequence } };
      const { sequence } = await publish(auditSubject(tenant), entries, options);
      chain.head = { number: last.number, hash: last.hash, sequence };
      settle(entries.length);
    } catch (error) {
      // Another gateway wrote first.
      if (error instanceof ConflictError) continue;
      log.warn(
        { tenant, waiting: queue.length, reason: describeError(error) },
        "could not write the audit log, trying again",
      );
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function readHead(bus: Bus, tenant: string): Promise<Head> {
  const last = await readFromLeader(bus, STREAMS.audit, { last_by_subj: auditSubject(tenant) });
  if (last === null) return { ...AUDIT_START, sequence: 0 };
  const { number, hash } = headIn(last) ?? (await lastReadable(bus, tenant));
  return { number, hash, sequence: last.seq };
}

/** Where the chain continues after a message, including an entry of a newer version that this one can only partly read. */
function headIn(message: StoredMsg): AuditHead | undefined {
  return Heads.safeParse(parseJson(message.string())).data?.at(-1);
}

/** The last entry of a log whose last message is not an entry. */
async function lastReadable(bus: Bus, tenant: string): Promise<AuditHead> {
  let head = AUDIT_START;
  for await (const message of messagesOf(bus, tenant)) head = headIn(message) ?? head;
  return head;
}

async function* readLog(bus: Bus, tenant: string, after: number): AsyncGenerator<AuditLine> {
  let number = 0;
  for await (const message of messagesOf(bus, tenant)) {
    const entries = Batch.safeParse(parseJson(message.string())).data;
    for (const entry of entries ?? []) {
      if (entry.number > after) yield entry;
      number = entry.number;
    }
    if (entries === undefined && number >= after) yield breakOf(message);
  }
}

function breakOf({ seq, time, data }: StoredMsg): AuditBreak {
  const sha256 = createHash("sha256").update(data).digest("hex");
  return { unreadable: { sequence: seq, at: time.toISOString(), bytes: data.byteLength, sha256 } };
}

function messagesOf(bus: Bus, tenant: string): AsyncGenerator<StoredMsg> {
  return readEach(bus, STREAMS.audit, { next_by_subj: auditSubject(tenant), batch: READ_BATCH });
}
