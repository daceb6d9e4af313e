/** The manifest of a backup folder, and the check that the backup is complete. */
import { PermanentError } from "@planwright/shared/errors";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

/** Increased when older versions can no longer restore a backup, or this version cannot read their backups. */
export const FORMAT = 2;
/** Written last: a folder without it is not a complete backup. */
export const MANIFEST_FILE = "manifest.json";
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

const Stored = z.object({
  /** Path below the backup folder. */
  file: z.string().min(1),
  bytes: z.int().min(0),
  sha256: z.hex().length(64),
});

/** A stream as the server described it when the snapshot began. */
export const StreamBackup = z.object({
  ...Stored.shape,
  name: z.string().min(1),
  config: z.looseObject({ name: z.string(), num_replicas: z.int().optional() }),
  state: z.looseObject({ messages: z.int().min(0), last_seq: z.int().min(0) }),
});
export type StreamBackup = z.infer<typeof StreamBackup>;

export const FileBackup = z.object({
  ...Stored.shape,
  /** Path below the data folder, separated by `/`. */
  path: z.string().min(1),
  mode: z.int().min(0).max(0o777),
});
export type FileBackup = z.infer<typeof FileBackup>;

export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  /** The version of Planwright. */
  version: z.string(),
  /** The last sequence number of the log. */
  logSequence: z.int().min(0),
  streams: z.array(StreamBackup).min(1).max(100),
  files: z.array(FileBackup).max(1_000_000),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * Reads the manifest and checks every file against it. Nothing is restored unless all files match.
 *
 * @throws {PermanentError} `no_backup`, `backup_format`, `backup_damaged`, with the file.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const stored of [...manifest.streams, ...manifest.files]) await compare(folder, stored);
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST_FILE);
  const size = await stat(file).catch(() => undefined);
  if (size === undefined) {
    throw new PermanentError(
      `${folder} is not a complete backup: ${MANIFEST_FILE}, which is written last, is missing. Take the backup again, or choose another folder`,
      { code: "no_backup" },
    );
  }
  if (size.size > MANIFEST_BYTES_MAX) throw damaged(file, `it is larger than ${MANIFEST_BYTES_MAX} bytes`);
  let input: unknown;
  try {
    input = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw damaged(file, "it is not valid JSON and may be truncated", cause);
  }
  const { success, data } = z.looseObject({ format: z.int() }).safeParse(input);
  if (success && data.format !== FORMAT) {
    throw new PermanentError(
      `${file} has format ${data.format}, but this version restores format ${FORMAT}: restore it with the version that wrote it (${String(data["version"])})`,
      { code: "backup_format" },
    );
  }
  const parsed = Manifest.safeParse(input);
  if (!parsed.success) throw damaged(file, z.prettifyError(parsed.error));
  return parsed.data;
}

async function compare(folder: string, { file, bytes, sha256 }: z.infer<typeof Stored>): Promise<void> {
  const full = inside(folder, file);
  const found = await stat(full).catch(() => undefined);
  if (found === undefined) throw damaged(full, "it is missing");
  if (found.size !== bytes)
    throw damaged(full, `it has ${found.size} bytes instead of ${bytes} and may be truncated`);
  if ((await digestOf(full)).sha256 !== sha256) throw damaged(full, "its checksum does not match");
}

/** Returns the size and checksum of a file. */
export async function digestOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(file)) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Resolves a path below the folder. @throws {PermanentError} `backup_damaged` when it leads outside. */
export function inside(folder: string, file: string): string {
  const full = path.resolve(folder, file);
  if (full.startsWith(path.resolve(folder) + path.sep)) return full;
  throw damaged(file, "it is outside the folder");
}

function damaged(file: string, why: string, cause?: unknown): PermanentError {
  return new PermanentError(`the backup is damaged: ${file}: ${why}`, { code: "backup_damaged", cause });
}
