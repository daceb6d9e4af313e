/** Backs up and restores the files of a data folder: settings and data sources. SQLite files are copied consistently. */
import { PermanentError } from "@planwright/shared/errors";
import { chmod, copyFile, mkdir, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { digestOf, type FileBackup, inside } from "./manifest.ts";

/**
 * Folders that are not copied: nats-server's store, which the snapshots contain; its users, which a new system creates;
 * downloads; the gateway's projection, which is derived from the log.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["nats", "nats-users", "cache", "gateway"]);
const SQLITE_HEADER = "SQLite format 3\0";
/** Side files of a SQLite database; the copy of the database includes their content. */
const SQLITE_SIDE = /-(?:wal|shm|journal)$/;
const FILES_MAX = 1_000_000;

/** Returns the names in a data folder that a restore would affect. */
export async function namesIn(dataDir: string): Promise<string[]> {
  return readdir(dataDir).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
}

/** Copies the files of the data folder into `<folder>/files`. */
export async function backUpFiles(dataDir: string, folder: string): Promise<FileBackup[]> {
  const names = (await namesIn(dataDir)).filter((name) => !LEFT_OUT.has(name));
  const files: string[] = [];
  for (const name of names) await collect(dataDir, name, files);
  const copied: FileBackup[] = [];
  for (const relative of files) {
    const file = path.posix.join("files", relative);
    const to = path.join(folder, file);
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const from = path.join(dataDir, relative);
    const { mode } = await stat(from);
    await copyConsistently(from, to);
    copied.push({ path: relative, mode: mode & 0o777, file, ...(await digestOf(to)) });
  }
  return copied;
}

/** Copies the files of a backup into the data folder. */
export async function restoreFiles(
  dataDir: string,
  folder: string,
  files: readonly FileBackup[],
): Promise<void> {
  for (const { path: relative, file, mode } of files) {
    const to = inside(dataDir, relative);
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    await copyFile(inside(folder, file), to);
    await chmod(to, mode);
  }
}

/** Collects regular files. Links and sockets are left out: their targets are elsewhere. */
async function collect(dataDir: string, relative: string, files: string[]): Promise<void> {
  const full = path.join(dataDir, relative);
  const about = await stat(full);
  if (about.isDirectory()) {
    for (const entry of await readdir(full, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      await collect(dataDir, path.posix.join(relative, entry.name), files);
    }
  } else if (about.isFile() && !(await isSideFile(full))) files.push(relative);
  if (files.length > FILES_MAX) {
    throw new PermanentError(
      `${dataDir} has more than ${FILES_MAX} files: move files that Planwright does not need elsewhere`,
      { code: "too_many_files" },
    );
  }
}

async function isSideFile(file: string): Promise<boolean> {
  return SQLITE_SIDE.test(file) && (await isSqlite(file.replace(SQLITE_SIDE, "")));
}

async function isSqlite(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead).toString("latin1") === SQLITE_HEADER;
  } catch {
    return false;
  }
}

async function copyConsistently(from: string, to: string): Promise<void> {
  if (!(await isSqlite(from))) return copyFile(from, to);
  // Node 20 has no SQLite: fail rather than copy a file that may be written to at the same time.
  const { DatabaseSync } = await import("node:sqlite").catch((cause: unknown) => {
    throw new PermanentError(
      `${from} is a SQLite file, and copying it requires Node 22.13 or newer: run the command with a newer Node`,
      {
        code: "node_too_old",
        cause,
      },
    );
  });
  const database = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    database.prepare("VACUUM INTO ?").run(to);
  } finally {
    database.close();
  }
}
