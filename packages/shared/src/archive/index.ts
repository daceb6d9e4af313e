export { archivePlan } from "./archive-plan.ts";
export { type ArchivedMessage, archivedMessageOf, bodyOf, eventIn } from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore } from "./archive-store.ts";
export { readTombstone } from "./read-tombstone.ts";
