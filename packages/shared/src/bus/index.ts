export { askAgain, isUnavailable } from "./ask-again.ts";
export { type Bucket, type BucketEntry, type KnownWrite, openBucket, replacing } from "./bucket.ts";
export { type Bus, connectBus } from "./connect-bus.ts";
export { type Change, followBucket, openRegistry, type Registry } from "./registry.ts";
export { isStray, refusalOf } from "./subjects/check-writer.ts";
export { createPublish } from "./create-publish.ts";
export {
  DEMAND_TENANTS_MAX,
  type DemandRoll,
  keepDemandRoll,
  PlannerDemand,
  type PoolDemand,
} from "./demand.ts";
export { followLog, type LogFollower, logState } from "./log/follow-log.ts";
export { entriesOf, type LogEntry, type UnknownEntry } from "./log/log-entry.ts";
export { lastMessage, readFromLeader } from "./read-from-leader.ts";
export { bePresent, isPresent, onReconnect } from "./presence.ts";
export { provision, provisionQueue, type Replicas } from "./streams/provision.ts";
export { FACTS_QUEUE, PLANNER_QUEUE, queueOfPool, REFLECTOR_QUEUE } from "./subjects/queues.ts";
export { requireStreams } from "./streams/require-streams.ts";
export { appendEvent, appendEvents, type Fence, sendOnce } from "./log/append-event.ts";
export { ConflictError, type Publish, StoreFullError } from "./publisher.ts";
export {
  readPlan,
  readPlanEvents,
  readPlanLog,
  readPlanMessages,
  type StoredEvent,
} from "./log/read-plan.ts";
export {
  comesFromBackup,
  markRestored,
  mayHaveBegunSince,
  readRestored,
  type RestoredLog,
} from "./streams/restored-log.ts";
export { readEach, readLastOfEach, readNext, readStored } from "./read-current.ts";
export { archiveSubjects, archivedPlans, auditSubject } from "./subjects/archive-subjects.ts";
export { readSubjects } from "./log/read-subjects.ts";
export {
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
  startSubjects,
  unitSubjects,
} from "./subjects/subjects.ts";
export {
  aliveSubject,
  LEASE_HINTS,
  MODEL_CALLS,
  stopSubject,
  WORK_DEMAND,
  WORKER_BEATS,
} from "./subjects/core-subjects.ts";
export {
  ALL_STREAMS,
  bucketStream,
  BUCKETS,
  DEAD_LETTERS_MAX,
  OBJECT_BUCKET,
  STREAM_CONFIGS,
  STREAMS,
} from "./streams/topology.ts";
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
  parseWorkSubject,
  type WorkAddress,
} from "./subjects/work-subjects.ts";
