import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { natsFiles } from "../nats/nats-config.ts";
import { authorizationOf, type NatsUser, type PasswordUser } from "@planwright/shared/users";

/**
 * Reloads the users of a running nats-server: rewrites its configuration and signals it. Connections of remaining users are
 * kept.
 *
 * @throws {Error} When no server is running on this store.
 */
export async function reloadUsers(
  storeDir: string,
  users: readonly NatsUser[],
  more: readonly PasswordUser[] = [],
): Promise<void> {
  const files = natsFiles(storeDir);
  const settings: unknown = JSON.parse(await readFile(files.config, "utf8"));
  const text = JSON.stringify(
    { ...z.looseObject({}).parse(settings), ...authorizationOf(users, more) },
    null,
    2,
  );
  // Replaced atomically: a server that restarts reads the file too.
  await writeFile(`${files.config}.new`, `${text}\n`, { mode: 0o600 });
  await rename(`${files.config}.new`, files.config);
  process.kill(Number((await readFile(files.pid, "utf8")).trim()), "SIGHUP");
}
