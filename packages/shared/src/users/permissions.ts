/**
 * The subjects that each service can publish and subscribe to, as nats-server's allow-lists. All others are refused.
 *
 * Invariants:
 *   PERMISSION-1. No service can create, change or delete streams, or create the consumers of work queues.
 *   PERMISSION-2. Workers and reflectors can create no consumer at all: such a user could make the server deliver stored
 *       messages, which no permission covers, to any subject.
 *   PERMISSION-3. Each class of subjects of the log has one writing service; workers can write only to their own pools' subjects.
 *   PERMISSION-4. Replies are private: each user has its own inbox prefix.
 */
import { inboxOf } from "../access/nats-access.ts";
import {
  FACTS_QUEUE,
  PLANNER_QUEUE,
  type QueueName,
  queueOfPool,
  REFLECTOR_QUEUE,
} from "../bus/subjects/queues.ts";
import { PROBE_SUBJECT } from "../bus/subjects/subjects.ts";
import {
  ALL_STOPS,
  LEASE_HINTS,
  MODEL_CALLS,
  newLeaderSubject,
  WORK_DEMAND,
  WORKER_BEATS,
} from "../bus/subjects/core-subjects.ts";
import { BUCKETS, bucketStream, OBJECT_BUCKET, STREAMS } from "../bus/streams/topology.ts";

/** A user of NATS: one per service, one per set of pools that a worker serves, and the administrator. */
export type NatsRole =
  | { readonly kind: "admin" | "gateway" | "planner" | "reflector" }
  | { readonly kind: "worker"; readonly pools: readonly string[] };

/** In the form of nats-server's configuration. */
export type Permissions = {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** Whether it can answer requests, whose reply subjects are other users' inboxes. */
  readonly allow_responses?: true;
};

const API = "$JS.API";
const OBJECTS = `OBJ_${OBJECT_BUCKET}`;
const entriesOf = (bucket: string): string => `$KV.${bucket}.>`;
const REGISTRIES = [BUCKETS.tools, BUCKETS.agents, BUCKETS.sources] as const;
/** Buckets of the gateway alone: hashes of keys, and ended sessions. */
const GATEWAY_BUCKETS: readonly string[] = [BUCKETS.keys, BUCKETS.endedSessions];
const PLANNER_BUCKETS = Object.values(BUCKETS).filter((bucket) => !GATEWAY_BUCKETS.includes(bucket));
const PLANNER_STREAMS = Object.values(STREAMS).filter((stream) => stream !== STREAMS.audit);
/** Returns subjects of the log by what follows the partition and the id. */
const log = (...classes: readonly string[]): string[] => classes.map((name) => `plan.*.*.${name}`);

/** The allow-lists of a user. @param publicKey - Of its nkey. */
export function permissionsOf(role: NatsRole, publicKey: string): Permissions {
  const inbox = `${inboxOf(publicKey)}.>`;
  switch (role.kind) {
    case "admin":
      return { publish: { allow: [">"] }, subscribe: { allow: [">"] } };
    case "gateway":
      return allow(gatewayMayPublish(), [
        inbox,
        WORKER_BEATS,
        WORK_DEMAND,
        MODEL_CALLS,
        "live.>",
        newLeaderSubject(STREAMS.plans),
        ...[...REGISTRIES, ...GATEWAY_BUCKETS].map(entriesOf),
      ]);
    case "planner":
      return allow(plannerMayPublish(), [
        inbox,
        ALL_STOPS,
        LEASE_HINTS,
        WORKER_BEATS,
        WORK_DEMAND,
        "alive.>",
        "rpc.plan.preview",
        "rpc.model.check.planner",
        newLeaderSubject(STREAMS.plans),
        ...newLeadersOf([PLANNER_QUEUE]),
        ...REGISTRIES.map(entriesOf),
      ]);
    case "reflector":
      return allow(reflectorMayPublish(), [
        inbox,
        ALL_STOPS,
        "rpc.model.check.reflector",
        ...newLeadersOf([REFLECTOR_QUEUE, FACTS_QUEUE]),
      ]);
    case "worker":
      return allow(workerMayPublish(role.pools), [
        inbox,
        ALL_STOPS,
        "rpc.model.check.executor",
        ...newLeadersOf(role.pools.map(queueOfPool)),
        ...REGISTRIES.map(entriesOf),
      ]);
    default:
      role satisfies never;
      throw new TypeError("unknown role");
  }
}

function allow(publish: readonly string[], subscribe: readonly string[]): Permissions {
  return {
    publish: { allow: [...new Set(publish)] },
    subscribe: { allow: [...new Set(subscribe)] },
    allow_responses: true,
  };
}

function gatewayMayPublish(): string[] {
  return [
    ...reading(Object.values(STREAMS), Object.values(BUCKETS)),
    ...following(STREAMS.plans),
    `${API}.STREAM.MSG.DELETE.${STREAMS.dead}`,
    `${API}.CONSUMER.LIST.${STREAMS.work}`,
    ...log("control.submitted", "control.approval.*", "control.feedback.*", "control.delete"),
    ...log("control.flow.cancelled", "control.flow.paused.*", "control.flow.resumed.*", "redrive.>"),
    ...storingArtifacts(),
    // Files of data sources that were replaced or deleted.
    ...[STREAMS.artifacts, OBJECTS].map((stream) => `${API}.STREAM.PURGE.${stream}`),
    ...[BUCKETS.sources, ...GATEWAY_BUCKETS].map(entriesOf),
    "audit.*",
    PROBE_SUBJECT,
    "rpc.plan.preview",
    "rpc.model.check.*",
  ];
}

function plannerMayPublish(): string[] {
  // A plan's stored messages, when it is archived or deleted.
  const purged = [...PLANNER_STREAMS, OBJECTS];
  return [
    ...reading(PLANNER_STREAMS, PLANNER_BUCKETS),
    ...following(STREAMS.plans),
    ...following(bucketStream(BUCKETS.openPlans)),
    ...purged.map((stream) => `${API}.STREAM.PURGE.${stream}`),
    ...taking(PLANNER_QUEUE),
    ...log("d.>", "control.submitted", "control.flow.>", "r.~draft.*.started", "r.~draft.*.step.*"),
    ...log("r.~draft.*.ended", "r.~draft.*.model.*"),
    // The outcome of a sub-plan, in its parent's log.
    ...log("r.*.*.*.done"),
    "timer.>",
    "work.>",
    "dead.work.plan.>",
    "archive.>",
    ...storingArtifacts(),
    ...[BUCKETS.leases, BUCKETS.openPlans, BUCKETS.deliveries].map(entriesOf),
    ALL_STOPS,
    LEASE_HINTS,
    WORK_DEMAND,
    "alive.*",
    MODEL_CALLS,
    "live.>",
  ];
}

function reflectorMayPublish(): string[] {
  return [
    ...reading([STREAMS.plans, STREAMS.work, STREAMS.artifacts], [BUCKETS.deliveries]),
    ...taking(REFLECTOR_QUEUE),
    ...taking(FACTS_QUEUE),
    ...log("r.~join.*.done", "r.~join.*.model.*", "r.*.*.*.facts"),
    ...log("r.*.*.*.reviewed.*", "r.*.*.*.review.*.model.*"),
    ...["~draft", "~answer"].flatMap((whole) =>
      log(`r.${whole}.*.reviewed.*`, `r.${whole}.*.review.*.model.*`),
    ),
    // Work that it hands back when it stops.
    "work.reflect.>",
    "work.facts.>",
    "dead.work.reflect.>",
    "dead.work.facts.>",
    ...storingArtifacts(),
    entriesOf(BUCKETS.deliveries),
    MODEL_CALLS,
    "live.>",
  ];
}

function workerMayPublish(pools: readonly string[]): string[] {
  const buckets = [...REGISTRIES, BUCKETS.mcpPins, BUCKETS.deliveries];
  return [
    ...reading([STREAMS.plans, STREAMS.work, STREAMS.artifacts], buckets),
    ...pools.flatMap((pool) => [
      ...taking(queueOfPool(pool)),
      ...log(`w.${pool}.>`),
      // Work that it hands back when it stops.
      `work.step.${pool}.>`,
      `dead.work.step.${pool}.>`,
    ]),
    ...storingArtifacts(),
    ...buckets.map(entriesOf),
    WORKER_BEATS,
    MODEL_CALLS,
    "live.>",
  ];
}

/** Reads stored messages, by direct gets and from the leader. */
function reading(streams: readonly string[], buckets: readonly string[]): string[] {
  const all = [...streams, ...buckets.map(bucketStream), OBJECTS];
  return [
    `${API}.INFO`,
    ...all.flatMap((stream) => [
      `${API}.STREAM.INFO.${stream}`,
      `${API}.STREAM.MSG.GET.${stream}`,
      `${API}.DIRECT.GET.${stream}`,
      `${API}.DIRECT.GET.${stream}.>`,
    ]),
  ];
}

/** Follows a stream through an ordered consumer. */
function following(stream: string): string[] {
  return [
    `${API}.CONSUMER.CREATE.${stream}.>`,
    `${API}.CONSUMER.CREATE.${stream}`,
    `${API}.CONSUMER.INFO.${stream}.*`,
    `${API}.CONSUMER.DELETE.${stream}.*`,
    `${API}.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.ACK.${stream}.>`,
    `$JS.FC.${stream}.>`,
  ];
}

/** Consumes an existing work queue. */
function taking({ durable }: QueueName): string[] {
  return [
    `${API}.CONSUMER.INFO.${STREAMS.work}.${durable}`,
    `${API}.CONSUMER.MSG.NEXT.${STREAMS.work}.${durable}`,
    `$JS.ACK.${STREAMS.work}.${durable}.>`,
  ];
}

/** Subjects that announce a new leader of a work queue. */
function newLeadersOf(queues: readonly QueueName[]): string[] {
  return queues.map(({ durable }) => newLeaderSubject(STREAMS.work, durable));
}

function storingArtifacts(): string[] {
  return ["artifact.>", `$O.${OBJECT_BUCKET}.>`];
}
