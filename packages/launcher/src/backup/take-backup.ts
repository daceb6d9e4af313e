/**
 * Backs up a running system.
 *
 * Each stream's snapshot shows one moment, and these moments follow one another. Their order keeps the backup consistent:
 *
 *   BACKUP-1. Read positions and pending work come before the log. Planners process the log's additional events again, and
 *       work that is already done is dropped by its id.
 *   BACKUP-2. Everything that the log refers to, or that was moved from it, comes after the log: artifacts and archived plans
 *       are never missing.
 *   BACKUP-3. The manifest is written last: a folder with a manifest is complete.
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
/** The streams in the order of their snapshots. Leases are left out: they expire within seconds. */
const STREAMS_IN_ORDER: readonly string[] = [...BEFORE_THE_LOG, STREAMS.plans, ...AFTER_THE_LOG];

export type BackupOptions = {
  /** A new or empty folder. */
  readonly folder: string;
  readonly dataDir: string;
  /** A login that can take snapshots. */
  readonly access: NatsAccess;
  readonly now?: () => Date;
};

/**
 * @throws {PermanentError} `folder_not_empty`, `folder_in_data`; `backup_failed` when a stream or a file cannot be read. The
 * files written until then are kept, without a manifest.
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
    throw new PermanentError(`the backup is incomplete: ${describeError(cause)}`, {
      code: "backup_failed",
      cause,
    });
  }
}

/**
 * Returns a login that can take snapshots: of the system that runs on the data folder, or of `NATS_URL`.
 *
 * @throws {PermanentError} `no_system` when no system has been started on the folder.
 */
export async function backupAccess(dataDir: string, env: NodeJS.ProcessEnv): Promise<NatsAccess> {
  if (env["NATS_URL"]) return natsAccess(readConfig(z.object(natsConfig), env));
  const folder = usersFolder(dataDir);
  try {
    const url = (await readFile(path.join(folder, URL_FILE), "utf8")).trim();
    return accessAs(await readUsers(folder), "admin", url);
  } catch (cause) {
    throw new PermanentError(
      `no system has been started on the data folder ${dataDir}: set the folder with --data, or the server with NATS_URL`,
      { code: "no_system", cause },
    );
  }
}

/** Refuses a folder inside the data folder: the backup would contain itself and earlier ones. */
function requireElsewhere(folder: string, dataDir: string): void {
  const relative = path.relative(path.resolve(dataDir), path.resolve(folder));
  if (relative.startsWith("..") || path.isAbsolute(relative)) return;
  throw new PermanentError(`${folder} is in the data folder ${dataDir}: choose a folder outside it`, {
    code: "folder_in_data",
  });
}

async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new PermanentError(`${folder} is not empty: choose a new folder for the backup`, {
    code: "folder_not_empty",
  });
}

/** Writes a file atomically: it gets its name only when all of it is on disk. */
async function writeWhole(file: string, text: string): Promise<void> {
  const incoming = `${file}.incoming`;
  {
    await using handle = await open(incoming, "wx", 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(incoming, file);
}
