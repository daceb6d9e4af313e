export { askAgain } from "./ask-again.ts";
export { type Bucket, type BucketEntry, type KnownWrite, openBucket, replacing } from "./bucket.ts";
export { type Bus, connectBus } from "./connect-bus.ts";
export { type Change, followBucket } from "./follow-bucket.ts";
export { isStray, refusalOf } from "./check-writer.ts";
export { createPublish } from "./create-publish.ts";
export {
  DEMAND_TENANTS_MAX,
  type DemandRoll,
  keepDemandRoll,
  PlannerDemand,
  type PoolDemand,
} from "./demand.ts";
export { followLog, type LogFollower, logState } from "./follow-log.ts";
export { entriesOf, type LogEntry, type UnknownEntry } from "./log-entry.ts";
export { isUnavailable } from "./is-unavailable.ts";
export { lastMessage } from "./last-message.ts";
export { bePresent, isPresent, onNewLeader, onReconnect } from "./presence.ts";
export { provision, provisionQueue, type Replicas } from "./provision.ts";
export { FACTS_QUEUE, PLANNER_QUEUE, queueOfPool, type QueueName, REFLECTOR_QUEUE } from "./queues.ts";
export { requireQueue, requireStreams } from "./require-streams.ts";
export { appendEvent, appendEvents, type Fence, sendOnce, type Stored } from "./append-event.ts";
export { ConflictError, type Publish, type Published, StoreFullError } from "./publisher.ts";
export { readPlan, readPlanEvents, readPlanLog, readPlanMessages, type StoredEvent } from "./read-plan.ts";
export {
  comesFromBackup,
  markRestored,
  mayHaveBegunSince,
  readRestored,
  type RestoredLog,
} from "./restored-log.ts";
export { readEach, readLastOfEach, readNext } from "./read-current.ts";
export { readFromLeader } from "./read-from-leader.ts";
export { readStored } from "./read-stored.ts";
export { readSubjects } from "./read-subjects.ts";
export { openRegistry, type Registry } from "./registry.ts";
export {
  auditSubject,
  archivedPlans,
  archiveSubjects,
  decisionSubject,
  decisionSubjects,
  deletionSubject,
  endedSubjects,
  factSubject,
  flowSubjects,
  isDecisionSubject,
  isFlowSubject,
  partitionIn,
  PENDING_DELETIONS,
  PROBE_SUBJECT,
  planIdIn,
  planSubjects,
  submissionSubject,
  timerSubject,
  timerSubjects,
  unitSubjects,
} from "./subjects.ts";
export {
  ALL_STOPS,
  aliveSubject,
  LEASE_HINTS,
  MODEL_CALLS,
  stopSubject,
  WORK_DEMAND,
  WORKER_BEATS,
} from "./core-subjects.ts";
export { shareReads } from "./share-reads.ts";
export { startSubjects } from "./start-subjects.ts";
export {
  ALL_STREAMS,
  bucketStream,
  BUCKETS,
  DEAD_LETTERS_MAX,
  OBJECT_BUCKET,
  STREAM_CONFIGS,
  STREAMS,
} from "./topology.ts";
export {
  ALL_DEAD_LETTERS,
  deadLetterSubject,
  draftSubject,
  FLOW_HEADER,
  factsSubject,
  joinSubject,
  critiqueSubject,
  reviewSubject,
  poolSubjects,
  stepSubject,
  unitSubject,
  workOfPlan,
} from "./work-subjects.ts";
export { parseWorkSubject, type WorkAddress } from "./work-address.ts";
export { watchStops } from "./watch-stops.ts";
