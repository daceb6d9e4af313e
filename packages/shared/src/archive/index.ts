export { type ArchivedMessage, archivedMessageOf, bodyOf } from "./archived-message.ts";
export { type ArchiveStore, createArchiveStore, type StoredHead } from "./archive-store.ts";
