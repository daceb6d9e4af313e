/**
 * Sets up a nats-server that `npm start` does not start, such as that of docker-compose.yml:
 *
 *   node packages/shared/src/users/main.ts users DIR [POOLS]   creates the users, a folder each, and the server's users.conf
 *   node packages/shared/src/users/main.ts secrets DIR [POOLS] creates the users, one for each pool, and prints them as Secrets of Kubernetes
 *   node packages/shared/src/users/main.ts provision [POOLS]   creates streams and queues, by the login of the NATS settings
 *
 * Existing users, streams and queues are kept. `POOLS` are separated by commas; default `default`.
 */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { natsAccess, natsConfig, replicasConfig } from "../access/index.ts";
import { readConfig } from "../service/index.ts";
import { authorizationOf } from "./authorization.ts";
import { kubernetesSecrets } from "./kubernetes-secrets.ts";
import { provisionServer } from "./provision-server.ts";
import { keepUsers, readUsers, workerName } from "./users-folder.ts";

const PROVISIONED_WITHIN_MS = 60_000;

const [command, ...args] = process.argv.slice(2);
if (command === "users") await createUsers(args[0] ?? "", poolsIn(args[1]));
else if (command === "secrets") await printSecrets(args[0] ?? "", poolsIn(args[1]));
else if (command === "provision") {
  const config = readConfig(z.object({ ...natsConfig, ...replicasConfig }), process.env);
  await provisionServer(natsAccess(config), {
    replicas: config.NATS_REPLICAS,
    pools: poolsIn(args[0]),
    signal: AbortSignal.timeout(PROVISIONED_WITHIN_MS),
  });
} else {
  process.stderr.write("wanted users DIR [POOLS], secrets DIR [POOLS], or provision [POOLS]\n");
  process.exitCode = 2;
}

/** `gpu=2` names the pool gpu. */
function poolsIn(text: string | undefined): string[] {
  return (text || "default").split(",").map((entry) => entry.trim().replace(/=\d+$/, ""));
}

/** Each seed is in a separate folder, so that each container can be given only its own user. */
async function createUsers(folder: string, pools: readonly string[]): Promise<void> {
  const users = await keepUsers(path.join(folder, "all"), pools);
  const wanted = users.filter(({ role, name }) => role.kind !== "worker" || name === workerName(pools));
  for (const { role, file } of wanted) {
    const own = path.join(folder, role.kind);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await copyFile(file, path.join(own, "seed.nk"));
  }
  await mkdir(path.join(folder, "server"), { recursive: true });
  await writeFile(path.join(folder, "server", "users.conf"), JSON.stringify(authorizationOf(users), null, 2));
}

/** The folder keeps the seeds: a repeat prints the same users, and adds a new pool's user. */
async function printSecrets(folder: string, pools: readonly string[]): Promise<void> {
  for (const pool of pools) await keepUsers(folder, [pool]);
  process.stdout.write(`${JSON.stringify(await kubernetesSecrets(await readUsers(folder)), null, 2)}\n`);
}
