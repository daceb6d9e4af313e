import { readFile } from "node:fs/promises";
import path from "node:path";
import { connectNats } from "@planwright/shared/access";
import { PermanentError } from "@planwright/shared/errors";
import { reloadUsers } from "./reload-users.ts";
import {
  accessAs,
  keepUsers,
  provisionServer,
  seedFileOf,
  URL_FILE,
  usersFolder,
  workerName,
} from "@planwright/shared/users";

const LOGIN_WITHIN_MS = 10_000;

/** Everything that a worker needs to log in. */
export type WorkerLogin = { readonly url: string; readonly seedFile: string };

/**
 * Creates a user for workers of these pools on the system that is running on this data folder, and their queues. Existing
 * ones are kept.
 *
 * @throws {PermanentError} `no_system` when no system is running on the folder.
 */
export async function addWorker(dataDir: string, pools: readonly string[]): Promise<WorkerLogin> {
  const folder = usersFolder(dataDir);
  const url = await urlOf(folder, dataDir);
  const users = await keepUsers(folder, pools);
  const own = workerName(pools);
  const signal = AbortSignal.timeout(LOGIN_WITHIN_MS);
  try {
    await reloadUsers(path.join(dataDir, "nats"), users);
    // Log in first: a server that is reloading its users may never answer other requests.
    await (await connectNats(accessAs(users, own, url), { name: "credentials", signal })).close();
    await provisionServer(accessAs(users, "admin", url), { pools, signal });
  } catch (cause) {
    throw new PermanentError(
      `the system on ${dataDir} does not answer at ${url}: start it with \`planwright start\` and try again`,
      {
        code: "no_system",
        cause,
      },
    );
  }
  return { url, seedFile: seedFileOf(folder, own) };
}

async function urlOf(folder: string, dataDir: string): Promise<string> {
  try {
    return (await readFile(path.join(folder, URL_FILE), "utf8")).trim();
  } catch (cause) {
    throw new PermanentError(`no system has been started on the data folder ${dataDir}`, {
      code: "no_system",
      cause,
    });
  }
}
