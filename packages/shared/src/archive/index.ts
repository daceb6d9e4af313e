export { archivePlan, type ArchivePlanDeps } from "./archive-plan.ts";
export { type ArchivedMessage, archivedMessageOf, bodyOf, eventIn } from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore, type StoredHead } from "./archive-store.ts";
export { readTombstone, type Tombstone } from "./read-tombstone.ts";
