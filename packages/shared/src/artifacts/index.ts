export { ARTIFACT_BYTES_MAX, type ArtifactStore, createArtifactStore } from "./artifact-store.ts";
export { spill } from "./spill.ts";
export { findStored, lastStoredAt, removeLoosePieces } from "./leftovers.ts";
