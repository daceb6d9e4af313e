export { archivePlan } from "./archive-plan.ts";
export { type ArchivedMessage, bodyOf, eventIn } from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore, readTombstone } from "./archive-store.ts";
