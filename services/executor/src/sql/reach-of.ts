/** The files that a child behind a wall must reach to read or change a source. */
import { open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Reach } from "../wall/wall.ts";

/** Offset in a SQLite file of the version that a reader needs; 2 means a write-ahead log. */
const READ_VERSION_AT = 19;
const WRITE_AHEAD_LOG = 2;

/**
 * Returns a folder of CSV files, or the folder of a file, because SQLite keeps its log and locks beside a database, and a file
 * may be replaced by another of the same name. For a file in the root folder, returns only the file. Returns nothing for a
 * missing path, which the child reports.
 *
 * A database with a write-ahead log is writable even for readers, because they share a lock file beside it.
 *
 * @param source.path - A file or folder, perhaps a symbolic link.
 */
export async function reachOf(source: { readonly path: string; readonly writable: boolean }): Promise<Reach> {
  try {
    const places = [path.resolve(source.path), await realpath(source.path)];
    const isFolder = (await stat(source.path)).isDirectory();
    const folders = [...new Set(places.map((place) => (isFolder ? place : folderOf(place))))];
    return { folders, writable: source.writable || (!isFolder && (await hasWriteAheadLog(source.path))) };
  } catch {
    return { folders: [], writable: false };
  }
}

function folderOf(file: string): string {
  const folder = path.dirname(file);
  return folder === path.parse(file).root ? file : folder;
}

async function hasWriteAheadLog(file: string): Promise<boolean> {
  await using opened = await open(file, "r");
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(READ_VERSION_AT + 1), { position: 0 });
  if (bytesRead <= READ_VERSION_AT) return false;
  return (
    buffer.toString("latin1", 0, 15) === "SQLite format 3" && buffer[READ_VERSION_AT] === WRITE_AHEAD_LOG
  );
}
