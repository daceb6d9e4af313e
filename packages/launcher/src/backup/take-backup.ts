/**
 * Backs up a running system.
 *
 * Each stream's snapshot is one moment of it, and the moments follow each other. Their order makes them fit:
 *
 *   BACKUP-1. What says how far the log was read, and what has to be done, comes before the log: what the log has more, planners
 *             read and decide again, and what was done already vanishes by its id.
 *   BACKUP-2. What the log refers to, or was moved to, comes after the log: artifacts and archived plans are never missing.
 *   BACKUP-3. The manifest is written last, so that a folder with one is complete.
 */
import { natsAccess, type NatsAccess, natsConfig } from "@planwright/shared/access";
import { bucketStream, BUCKETS, connectBus, OBJECT_BUCKET, STREAMS } from "@planwright/shared/bus";
import { describeError, PermanentError } from "@planwright/shared/errors";
import { readConfig } from "@planwright/shared/service";
import { accessAs, readUsers, URL_FILE, usersFolder } from "@planwright/shared/users";
import { VERSION } from "@planwright/shared/version";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { backUpFiles } from "./data-files.ts";
import { FORMAT, type Manifest, MANIFEST_FILE, type StreamBackup } from "./manifest.ts";
import { snapshotStream } from "./stream-snapshots.ts";

const CONNECT_MS = 30_000;

const BEFORE_THE_LOG = [
  bucketStream(BUCKETS.openPlans),
  STREAMS.work,
  bucketStream(BUCKETS.deliveries),
  bucketStream(BUCKETS.tools),
  bucketStream(BUCKETS.agents),
  bucketStream(BUCKETS.sources),
  bucketStream(BUCKETS.mcpPins),
  bucketStream(BUCKETS.keys),
  bucketStream(BUCKETS.endedSessions),
];
const AFTER_THE_LOG = [
  STREAMS.archive,
  STREAMS.dead,
  STREAMS.audit,
  STREAMS.artifacts,
  `OBJ_${OBJECT_BUCKET}`,
];
/** In the order of their snapshots. Leases are left out: they lapse within seconds. */
export const STREAMS_IN_ORDER: readonly string[] = [...BEFORE_THE_LOG, STREAMS.plans, ...AFTER_THE_LOG];

export type BackupOptions = {
  /** A new or empty folder. */
  readonly folder: string;
  readonly dataDir: string;
  /** By a login that may take snapshots. */
  readonly access: NatsAccess;
  readonly now?: () => Date;
};

/**
 * @throws {PermanentError} `folder_not_empty`, `folder_in_data`; `backup_failed` when a stream or a file cannot be read. What was written until then
 *   stays, without a manifest.
 */
export async function takeBackup({
  folder,
  dataDir,
  access,
  now = () => new Date(),
}: BackupOptions): Promise<Manifest> {
  requireElsewhere(folder, dataDir);
  await requireEmpty(folder);
  await mkdir(path.join(folder, "streams"), { recursive: true, mode: 0o700 });
  const createdAt = now().toISOString();
  await using bus = await connectBus({ ...access, name: "backup", signal: AbortSignal.timeout(CONNECT_MS) });
  try {
    const streams: StreamBackup[] = [];
    for (const name of STREAMS_IN_ORDER) {
      const file = path.posix.join("streams", name);
      const snapshot = await snapshotStream(bus, { name, file: path.join(folder, file) });
      streams.push({ name, file, ...snapshot });
    }
    const files = await backUpFiles(dataDir, folder);
    const logSequence = streams.find(({ name }) => name === STREAMS.plans)?.state.last_seq ?? 0;
    const manifest: Manifest = { format: FORMAT, createdAt, version: VERSION, logSequence, streams, files };
    await writeWhole(path.join(folder, MANIFEST_FILE), JSON.stringify(manifest, undefined, 2));
    return manifest;
  } catch (cause) {
    if (cause instanceof PermanentError && cause.code !== "restore_refused") throw cause;
    throw new PermanentError(`the backup is not complete: ${describeError(cause)}`, {
      code: "backup_failed",
      cause,
    });
  }
}

/**
 * The login that may take snapshots: that of the system which runs on the data folder, or of `NATS_URL`.
 *
 * @throws {PermanentError} `no_system` when none has run on the folder.
 */
export async function backupAccess(dataDir: string, env: NodeJS.ProcessEnv): Promise<NatsAccess> {
  if (env["NATS_URL"]) return natsAccess(readConfig(z.object(natsConfig), env));
  const folder = usersFolder(dataDir);
  try {
    const url = (await readFile(path.join(folder, URL_FILE), "utf8")).trim();
    return accessAs(await readUsers(folder), "admin", url);
  } catch (cause) {
    throw new PermanentError(
      `no system has run on the data folder ${dataDir}: name its folder with --data, or its server with NATS_URL`,
      { code: "no_system", cause },
    );
  }
}

/** In the data folder, each backup would contain the ones before it, and itself. */
function requireElsewhere(folder: string, dataDir: string): void {
  const relative = path.relative(path.resolve(dataDir), path.resolve(folder));
  if (relative.startsWith("..") || path.isAbsolute(relative)) return;
  throw new PermanentError(`${folder} is in the data folder ${dataDir}: name a folder outside of it`, {
    code: "folder_in_data",
  });
}

async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new PermanentError(`${folder} is not empty: name a new folder for the backup`, {
    code: "folder_not_empty",
  });
}

/** There under its name only when all of it has reached the disk. */
async function writeWhole(file: string, text: string): Promise<void> {
  const incoming = `${file}.incoming`;
  {
    await using handle = await open(incoming, "wx", 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(incoming, file);
}
