export { type Manifest, readBackup } from "./manifest.ts";
export { backupAccess, type BackupOptions, takeBackup } from "./take-backup.ts";
export { type RestoreOptions, restoreBackup } from "./restore-backup.ts";
