/**
 * The users of a system's own nats-server, in a folder that only its owner can read: one file per user, with
 * the seed of its nkey. Services log in with it by `NATS_NKEY_SEED`.
 */
import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type NatsAccess, nkeyPair } from "../access/index.ts";
import type { NatsRole } from "./permissions.ts";
import { nkeys } from "@nats-io/transport-node";

/** Next to the users: the address of their server, for workers that are started manually. */
export const URL_FILE = "url";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const SUFFIX = ".nk";
const SERVICES = ["admin", "gateway", "planner", "reflector"] as const;
const WORKER = "worker";
/** Not allowed in pool names. */
const JOINT = "+";

export type NatsUser = {
  readonly name: string;
  readonly role: NatsRole;
  readonly publicKey: string;
  /** The file with its seed. */
  readonly file: string;
};

/** The users' folder in a data folder. */
export function usersFolder(dataDir: string): string {
  return path.join(dataDir, "nats-users");
}

/** The file with the seed of a user in a folder. */
export function seedFileOf(folder: string, name: string): string {
  return path.join(folder, name + SUFFIX);
}

/** `worker.default`, or `worker.default+shop` for a worker that serves both. */
export function workerName(pools: readonly string[]): string {
  return `${WORKER}.${[...new Set(pools)].toSorted().join(JOINT)}`;
}

/**
 * Creates whatever is missing: the folder, the services' users and that of a worker of these pools. Existing users are kept.
 *
 * @returns All users of the folder.
 */
export async function keepUsers(folder: string, pools: readonly string[]): Promise<NatsUser[]> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await chmod(folder, FOLDER_MODE);
  const wanted = [...SERVICES, ...(pools.length === 0 ? [] : [workerName(pools)])];
  await Promise.all(wanted.map((name) => createUser(seedFileOf(folder, name))));
  return readUsers(folder);
}

/** The users of a folder, by name. */
export async function readUsers(folder: string): Promise<NatsUser[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).toSorted();
  const users = await Promise.all(
    names.map(async (fileName) => {
      const name = fileName.slice(0, -SUFFIX.length);
      const role = roleOf(name);
      if (role === undefined) return [];
      const file = path.join(folder, fileName);
      // The permissions of a file that was copied into the folder may be too open.
      await chmod(file, FILE_MODE);
      const { publicKey } = nkeyPair((await readFile(file, "utf8")).trim());
      return [{ name, role, publicKey, file }];
    }),
  );
  return users.flat();
}

/**
 * Returns how one of these users connects to their server.
 *
 * @throws {Error} When there is no user with this name.
 */
export function accessAs(users: readonly NatsUser[], name: string, url: string): NatsAccess {
  const user = users.find((one) => one.name === name);
  if (user === undefined) throw new Error(`there is no user ${name}`);
  return { url, login: { kind: "nkey", seed: user.file } };
}

/** Another process may do the same: the first one's file is kept, and it appears only when it is complete. */
async function createUser(file: string): Promise<void> {
  const seed = Buffer.from(nkeys.createUser().getSeed()).toString();
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${seed}\n`, { mode: FILE_MODE });
  try {
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
}

function roleOf(name: string): NatsRole | undefined {
  const kind = SERVICES.find((service) => service === name);
  if (kind !== undefined) return { kind };
  if (!name.startsWith(`${WORKER}.`)) return undefined;
  return { kind: WORKER, pools: name.slice(WORKER.length + 1).split(JOINT) };
}
