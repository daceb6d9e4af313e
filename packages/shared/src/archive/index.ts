export { archivePlan } from "./archive-plan.ts";
export {
  archivedEntries,
  type ArchivedMessage,
  archivedMessageOf,
  bodyOf,
  eventsIn,
} from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore } from "./archive-store.ts";
export { readTombstone } from "./read-tombstone.ts";
