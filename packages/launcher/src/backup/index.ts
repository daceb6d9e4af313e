export type { Manifest } from "./manifest.ts";
export { backupAccess, takeBackup } from "./take-backup.ts";
export { type RestoreOptions, restoreBackup } from "./restore-backup.ts";
