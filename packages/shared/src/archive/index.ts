export { archivePlan } from "./archive-plan.ts";
export { archivedEntries, type ArchivedMessage, bodyOf, eventsIn } from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore, readTombstone } from "./archive-store.ts";
