/**
 * The streams and buckets that the services share, as data.
 *
 * `PLANS` holds every plan's facts, on four classes of subject with a writer each: `d` (the plan's
 * owner), `r` (workers), `control` (people and the gateway), `t` (the server's scheduler). `WORK` is
 * what has to be done, `ARTIFACTS` what is too large for a fact, `ARCHIVE` the facts of plans that ended long ago,
 * `DEAD` what could not be handled.
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
 * The format of the log. It grows when an earlier version can't read what this one writes.
 *
 * - 2: each message is one event.
 * - 3: a message may be a batch of events (`RecordBatch` of packages/plan), and light steps run in units.
 */
export const LOG_FORMAT = "3";
/** In the metadata of the stream `PLANS`. Logs of format 1 have none. */
export const LOG_FORMAT_KEY = "planwright_log_format";

/**
 * Refuses a log that this version can't read, before anything is changed.
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
  /** Tool specs by tool name, as the executors announce them. */
  tools: "TOOLS",
  /** Agent types and the pools that executors serve, as the executors announce them. */
  agents: "AGENTS",
  /** Data sources by name. */
  sources: "SOURCES",
  /** Which planners live, and which of them owns each partition. */
  leases: "LEASES",
  /** Which plans are open, and from where in the log each partition has to be read again. */
  openPlans: "OPEN_PLANS",
  /** What the tools of MCP servers said of themselves when they were first seen. */
  mcpPins: "MCP_PINS",
  /** How the earlier deliveries of work messages ended, of those that were in trouble. */
  deliveries: "DELIVERIES",
  /** The keys that admins create, with hashes of their secrets: of the gateways alone. */
  keys: "API_KEYS",
  /** Sessions that were ended before their time: of the gateways alone. */
  endedSessions: "ENDED_SESSIONS",
} as const;

/** Artifacts above this size are kept in the object store, in pieces. */
export const OBJECT_BUCKET = "LARGE_ARTIFACTS";

const NANOS_PER_MS = 1_000_000;
const MIB = 1024 * 1024;

/** A repeated message id is dropped for this long, also after the message was acknowledged. */
export const DUPLICATE_WINDOW_MS = 120_000;

/** More dead letters than this, and the oldest go. */
export const DEAD_LETTERS_MAX = 10_000;
/** So long an entry of an audit log is kept: 400 days. */
const AUDIT_AGE_MS_MAX = 400 * 24 * 3_600_000;
/** Of all tenants: more, and the oldest go. */
const AUDIT_ENTRIES_MAX = 2_000_000;
/** What the dead letters may take up. The server reserves it when the stream is created, so that it decides how small a disk may be. */
const DEAD_LETTER_BYTES_MAX = 16 * MIB;
/** So long a dead letter is kept: 30 days. */
export const DEAD_LETTER_AGE_MS_MAX = 30 * 24 * 3_600_000;

const DURABLE = { storage: StorageType.File, duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS } as const;

/** Refusing new messages at a limit, instead of forgetting old ones, is what keeps an accepted plan. */
const REFUSE_WHEN_FULL = DiscardPolicy.New;

/** What a stream is to be: each field that is named here, and whatever the server chooses for the others. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

export const STREAM_CONFIGS: readonly WantedStream[] = [
  {
    ...DURABLE,
    name: STREAMS.plans,
    description: "The events of every plan, and its timers.",
    subjects: ["plan.>", "timer.>"],
    metadata: { [LOG_FORMAT_KEY]: LOG_FORMAT },
    retention: RetentionPolicy.Limits,
    // A stream with schedules cannot refuse new messages at a limit, so it has no limit: the
    // server's own limit for its store refuses, and forgets nothing.
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
    // The one stream whose oldest messages may go: their plans have been told, and the metrics show how many there are.
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
    // A limit in bytes would be reserved on the server's disk when the stream is created.
    max_msgs: AUDIT_ENTRIES_MAX,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
  },
];

/**
 * How long it can be seen that an entry of a bucket went because its time was over. No entry that replaces another can
 * live for less: the server gives it this time.
 */
const MARKER_TTL_MS = 2_000;

/** The stream of a bucket, as the client library names it. */
export function bucketStream(bucket: string): string {
  return `KV_${bucket}`;
}

/** What all streams of the client library's key-value buckets (NATS ADR-8) and object stores (ADR-20) have in common. */
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
  // Each write deletes what it replaces (see `bucket.ts`), which has to be there until then.
  max_msgs_per_subject: 2,
  allow_msg_ttl: true,
  subject_delete_marker_ttl: MARKER_TTL_MS * NANOS_PER_MS,
}));

const OBJECT_CONFIG: WantedStream = {
  ...BUCKET,
  name: `OBJ_${OBJECT_BUCKET}`,
  subjects: [`$O.${OBJECT_BUCKET}.C.>`, `$O.${OBJECT_BUCKET}.M.>`],
};

/** Everything that is stored on a NATS server: streams, key-value buckets and the object store. */
export const ALL_STREAMS: readonly WantedStream[] = [...STREAM_CONFIGS, ...BUCKET_CONFIGS, OBJECT_CONFIG];
