/** Restores a backup into a new data folder with its own nats-server, or into an external nats-server without streams. */
import { natsAccess, type NatsAccess, natsConfig } from "@planwright/shared/access";
import { connectBus, markRestored, STREAMS } from "@planwright/shared/bus";
import { PermanentError } from "@planwright/shared/errors";
import { readConfig } from "@planwright/shared/service";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { findNatsServer, startNatsServer } from "../nats/index.ts";
import { lockDataFolder } from "../supervisor/lock-data-folder.ts";
import { namesIn, restoreFiles } from "./data-files.ts";
import { inside, type Manifest, readBackup } from "./manifest.ts";
import { restoreStream } from "./stream-snapshots.ts";

export type RestoreOptions = {
  readonly folder: string;
  /** Empty or missing. */
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** The number of replicas of every stream; default 1. */
  readonly replicas?: number | undefined;
};

/**
 * Checks the whole backup, then restores it. With `NATS_URL`, streams are restored to that server.
 *
 * @throws {PermanentError} `data_not_empty` or `streams_exist`, because nothing is overwritten; `no_backup`,
 *   `backup_format` or `backup_damaged`, before anything is restored.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { folder, dataDir, env } = options;
  const manifest = await readBackup(folder);
  await requireEmptyData(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await using _lock = await lockDataFolder(dataDir);
  try {
    if (env["NATS_URL"]) {
      await restoreStreams(natsAccess(readConfig(z.object(natsConfig), env)), manifest, options);
    } else await restoreInto(path.join(dataDir, "nats"), manifest, options);
    await restoreFiles(dataDir, folder, manifest.files);
  } catch (error) {
    // The folder was empty. A partial restore must not look like a system.
    for (const name of await namesIn(dataDir))
      await rm(path.join(dataDir, name), { recursive: true, force: true });
    throw error;
  }
  return manifest;
}

async function requireEmptyData(dataDir: string): Promise<void> {
  const names = await namesIn(dataDir);
  if (names.length === 0) return;
  throw new PermanentError(
    `${dataDir} is not empty (${names.slice(0, 5).join(", ")}): choose a new data folder with --data`,
    { code: "data_not_empty" },
  );
}

/** Restores into a temporary nats-server, on a port and with a token that nothing else knows. */
async function restoreInto(storeDir: string, manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { env, log } = options;
  const { bin } = await findNatsServer({ env, log });
  const token = crypto.randomUUID();
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  await using server = await startNatsServer({
    bin,
    storeDir,
    settings: { authorization: { token } },
    endsWithParent: true,
    log,
  });
  await restoreStreams({ url: server.url, login: { kind: "token", token } }, manifest, options);
  await server.stop();
}

async function restoreStreams(
  access: NatsAccess,
  manifest: Manifest,
  { folder, log, replicas = 1 }: RestoreOptions,
): Promise<void> {
  await using bus = await connectBus({ ...access, name: "restore", signal: AbortSignal.timeout(30_000) });
  const present = await streamNames(bus.manager.streams.names());
  const taken = manifest.streams.filter(({ name }) => present.has(name)).map(({ name }) => name);
  if (taken.length > 0) {
    throw new PermanentError(
      `the nats-server already has streams of a system (${taken.slice(0, 5).join(", ")}): restore into an empty server`,
      { code: "streams_exist" },
    );
  }
  for (const stream of manifest.streams) {
    log(`restoring ${stream.name}: ${stream.state.messages} messages`);
    await restoreStream(bus.connection, stream, { file: inside(folder, stream.file), replicas });
  }
  const isThere = manifest.streams.some(({ name }) => name === STREAMS.plans);
  if (isThere) await markRestored(bus, { sequence: manifest.logSequence, backupAt: manifest.createdAt });
}

async function streamNames(names: AsyncIterable<string>): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for await (const name of names) all.add(name);
  return all;
}
