export {
  askForJson,
  type JsonAsking,
  type ReadReply,
  readJson,
  type ReplyFault,
  type Asking,
  type JobDeps,
  JobFailedError,
  type JobFailure,
  type JobResult,
  LostWorkError,
  type ModelJob,
  type Untraced,
  UnwantedError,
} from "./model-job.ts";
export { openWorker } from "./open-worker.ts";
export { HANDLE_TASKS, modelJob, reportTries } from "./run-model-job.ts";
export { type QueueStops, watchQueue, watchWork, type WorkStops } from "./watch-work.ts";
