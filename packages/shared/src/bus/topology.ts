/**
 * The streams and buckets that the services share, as data.
 *
 * `PLANS` holds every plan's facts, on four classes of subject with a writer each: `d` (the plan's
 * owner), `r` (workers), `control` (people and the gateway), `t` (the server's scheduler). `WORK` is
 * what has to be done, `ARTIFACTS` what is too large for a fact, `ARCHIVE` the facts of plans that ended long ago,
 * `DEAD` what could not be handled.
 */
import { RetentionPolicy, StorageType, type StreamConfig, DiscardPolicy } from "@nats-io/jetstream";

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
/** So long a dead letter is kept: 30 days. */
export const DEAD_LETTER_AGE_MS_MAX = 30 * 24 * 3_600_000;

const DURABLE = { storage: StorageType.File, duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS } as const;

/** Refusing new messages at a limit, instead of forgetting old ones, is what keeps an accepted plan. */
const REFUSE_WHEN_FULL = DiscardPolicy.New;

export const STREAM_CONFIGS: readonly (Partial<StreamConfig> & { name: string; subjects: string[] })[] = [
  {
    ...DURABLE,
    name: STREAMS.plans,
    description: "The facts of every plan, and the timers they wait for.",
    subjects: ["plan.>", "timer.>"],
    retention: RetentionPolicy.Limits,
    // A stream with schedules cannot refuse new messages at a limit of its own, so it has no limit: the
    // server's own limit for its store refuses, and forgets nothing.
    discard: DiscardPolicy.Old,
    allow_direct: true,
    allow_msg_schedules: true,
  },
  {
    ...DURABLE,
    name: STREAMS.work,
    description: "Steps to run, drafts to write, results to judge.",
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
    description: "The logs of plans that ended long ago, compressed.",
    subjects: ["archive.>"],
    retention: RetentionPolicy.Limits,
    discard: REFUSE_WHEN_FULL,
    max_msgs_per_subject: 1,
    allow_direct: true,
  },
  {
    ...DURABLE,
    name: STREAMS.dead,
    description: "What could not be handled, with its cause.",
    subjects: ["dead.>"],
    retention: RetentionPolicy.Limits,
    // The one stream whose oldest messages may go: their plans have been told, and the metrics show how many there are.
    discard: DiscardPolicy.Old,
    max_msgs: DEAD_LETTERS_MAX,
    max_bytes: 64 * MIB,
    max_age: DEAD_LETTER_AGE_MS_MAX * NANOS_PER_MS,
    allow_direct: true,
  },
  {
    ...DURABLE,
    name: STREAMS.audit,
    description: "Who did what: the audit log of each tenant. Nothing is deleted before its time.",
    subjects: ["audit.*"],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: AUDIT_AGE_MS_MAX * NANOS_PER_MS,
    max_bytes: 1024 * MIB,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
  },
];
