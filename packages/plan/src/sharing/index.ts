export { FairQueue, type Owner, type Room } from "./fair-queue.ts";
export { poolRoom } from "./pool-room.ts";
export { grantedPriority, Priority, weightOf } from "./priority.ts";
export {
  decideRun,
  hasRunBegun,
  isRunCommand,
  isRunOpen,
  isRunWanted,
  type RunCommand,
  type SentRun,
  sentRun,
} from "./sent-run.ts";
