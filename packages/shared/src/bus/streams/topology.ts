/**
 * The streams and buckets that the services share, as data.
 *
 * `PLANS` contains every plan's events, on four classes of subjects with a writer each: `d` (the plan's
 * owner), `r` (workers), `control` (users and the gateway), `t` (the server's scheduler). `WORK` contains
 * work to do, `ARTIFACTS` values too large for an event, `ARCHIVE` the events of plans that ended long ago,
 * `DEAD` dead letters.
 */
import {
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  DiscardPolicy,
  type StreamInfo,
} from "@nats-io/jetstream";
import { PermanentError } from "../../errors.ts";

/**
 * The format of the log. Increased when an earlier version can't read what this one writes.
 *
 * - 2: each message is one event.
 * - 3: a message may be a batch of events (`RecordBatch` of packages/plan), and light steps run in units.
 */
export const LOG_FORMAT = "3";
/** In the metadata of the stream `PLANS`. Logs of format 1 have none. */
export const LOG_FORMAT_KEY = "planwright_log_format";

/**
 * Rejects a log that this version can't read, before anything is changed.
 *
 * @throws {PermanentError} `log_format`
 */
export function requireLogFormat({ config, state }: Pick<StreamInfo, "config" | "state">): void {
  const { [LOG_FORMAT_KEY]: format = "1" } = config.metadata ?? {};
  if (format === LOG_FORMAT || state.messages === 0) return;
  throw new PermanentError(
    `the plans on this NATS server were written by ${Number(format) < Number(LOG_FORMAT) ? "an older" : "a newer"} version of Planwright (log format ${format}; this version reads ${LOG_FORMAT}): ` +
      "nothing was changed; run that version on them, or start this one on another NATS server or data folder (`planwright start --data DIR`)",
    { code: "log_format" },
  );
}

export const STREAMS = {
  plans: "PLANS",
  work: "WORK",
  artifacts: "ARTIFACTS",
  archive: "ARCHIVE",
  dead: "DEAD",
  audit: "AUDIT",
} as const;

export const BUCKETS = {
  /** Tool specs by tool name, as announced by the executors. */
  tools: "TOOLS",
  /** Agent types and the executors' pools, as announced by the executors. */
  agents: "AGENTS",
  /** Data sources by name. */
  sources: "SOURCES",
  /** The live planners, and which of them owns each partition. */
  leases: "LEASES",
  /** The open plans, and the sequence from which each partition's log has to be read again. */
  openPlans: "OPEN_PLANS",
  /** The descriptions of MCP servers' tools when they were first seen. */
  mcpPins: "MCP_PINS",
  /** The outcomes of earlier deliveries of work messages that had failures. */
  deliveries: "DELIVERIES",
  /** Keys created by admins, with hashes of their secrets; only for gateways. */
  keys: "API_KEYS",
  /** Sessions that were ended before they expired; only for gateways. */
  endedSessions: "ENDED_SESSIONS",
} as const;

/** Larger artifacts are kept in the object store, in pieces. */
export const OBJECT_BUCKET = "LARGE_ARTIFACTS";

const NANOS_PER_MS = 1_000_000;
const MIB = 1024 * 1024;

/** A repeated message id is dropped for this long, even after the message was acknowledged. */
export const DUPLICATE_WINDOW_MS = 120_000;

/** Above this limit, the oldest dead letters are removed. */
export const DEAD_LETTERS_MAX = 10_000;
/** Retention of audit log entries: 400 days. */
const AUDIT_AGE_MS_MAX = 400 * 24 * 3_600_000;
/** Of all tenants together; above this limit, the oldest entries are removed. */
const AUDIT_ENTRIES_MAX = 2_000_000;
/** Limit for dead letters. The server reserves it when the stream is created, so it affects how small a disk can be. */
const DEAD_LETTER_BYTES_MAX = 16 * MIB;
/** Retention of dead letters: 30 days. */
export const DEAD_LETTER_AGE_MS_MAX = 30 * 24 * 3_600_000;

const DURABLE = { storage: StorageType.File, duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS } as const;

/** Rejecting new messages at a limit, instead of removing old ones, protects accepted plans. */
const REFUSE_WHEN_FULL = DiscardPolicy.New;

/** The wanted configuration of a stream; fields that are not set are left to the server. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

export const STREAM_CONFIGS: readonly WantedStream[] = [
  {
    ...DURABLE,
    name: STREAMS.plans,
    description: "The events of every plan, and its timers.",
    subjects: ["plan.>", "timer.>"],
    metadata: { [LOG_FORMAT_KEY]: LOG_FORMAT },
    retention: RetentionPolicy.Limits,
    // A stream with schedules cannot reject new messages at a limit, so it has no limit: the
    // server's limit for its store rejects them, and nothing is removed.
    discard: DiscardPolicy.Old,
    allow_direct: true,
    allow_msg_schedules: true,
  },
  {
    ...DURABLE,
    name: STREAMS.work,
    description: "Work: steps to run, drafts to write, results to review.",
    subjects: ["work.>"],
    retention: RetentionPolicy.Workqueue,
    discard: REFUSE_WHEN_FULL,
  },
  {
    ...DURABLE,
    name: STREAMS.artifacts,
    description: "Outputs and files of plans, one message each.",
    subjects: ["artifact.>"],
    retention: RetentionPolicy.Limits,
    discard: REFUSE_WHEN_FULL,
    max_msgs_per_subject: 1,
    allow_direct: true,
  },
  {
    ...DURABLE,
    name: STREAMS.archive,
    description: "Compressed logs of archived plans.",
    subjects: ["archive.>"],
    retention: RetentionPolicy.Limits,
    discard: REFUSE_WHEN_FULL,
    max_msgs_per_subject: 1,
    allow_direct: true,
  },
  {
    ...DURABLE,
    name: STREAMS.dead,
    description: "Dead letters with their causes.",
    subjects: ["dead.>"],
    retention: RetentionPolicy.Limits,
    // The only stream whose oldest messages can be removed: their plans have been notified, and the metrics show their number.
    discard: DiscardPolicy.Old,
    max_msgs: DEAD_LETTERS_MAX,
    max_bytes: DEAD_LETTER_BYTES_MAX,
    max_age: DEAD_LETTER_AGE_MS_MAX * NANOS_PER_MS,
    allow_direct: true,
  },
  {
    ...DURABLE,
    name: STREAMS.audit,
    description: "The audit log of each tenant. Entries are not deleted before they expire.",
    subjects: ["audit.*"],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: AUDIT_AGE_MS_MAX * NANOS_PER_MS,
    // The server would reserve a limit in bytes on its disk when the stream is created.
    max_msgs: AUDIT_ENTRIES_MAX,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
  },
];

/**
 * How long the expiry of a bucket entry remains visible. An entry that replaces another cannot
 * live for less: the server extends it to this time.
 */
const MARKER_TTL_MS = 2_000;

/** Returns the name of a bucket's stream, as the client library names it. */
export function bucketStream(bucket: string): string {
  return `KV_${bucket}`;
}

/** Common configuration of all streams for the client library's key-value buckets (NATS ADR-8) and object stores (ADR-20). */
const BUCKET = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: REFUSE_WHEN_FULL,
  allow_direct: true,
  allow_rollup_hdrs: true,
} as const;

const BUCKET_CONFIGS: readonly WantedStream[] = Object.values(BUCKETS).map((name) => ({
  ...BUCKET,
  name: bucketStream(name),
  subjects: [`$KV.${name}.>`],
  // Each write deletes the message it replaces (see `bucket.ts`), which must exist until then.
  max_msgs_per_subject: 2,
  allow_msg_ttl: true,
  subject_delete_marker_ttl: MARKER_TTL_MS * NANOS_PER_MS,
}));

const OBJECT_CONFIG: WantedStream = {
  ...BUCKET,
  name: `OBJ_${OBJECT_BUCKET}`,
  subjects: [`$O.${OBJECT_BUCKET}.C.>`, `$O.${OBJECT_BUCKET}.M.>`],
};

/** All streams on a NATS server, including those of key-value buckets and the object store. */
export const ALL_STREAMS: readonly WantedStream[] = [...STREAM_CONFIGS, ...BUCKET_CONFIGS, OBJECT_CONFIG];
