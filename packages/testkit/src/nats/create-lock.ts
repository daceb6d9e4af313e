/** The users of a locked test server: those of `npm start`, and one with all permissions, which tests use to inspect it. */
import { randomBytes } from "node:crypto";
import {
  authorizationOf,
  keepUsers,
  type NatsUser,
  type PasswordUser,
  workerName,
} from "@planwright/shared/users";
import { connectNats, type NatsAccess, type NatsTls } from "@planwright/shared/access";
import { connectBus, provisionQueue, queueOfPool } from "@planwright/shared/bus";
import type { ServiceName } from "../system/service-names.ts";

const LOGIN_WITHIN_MS = 10_000;

export type Lock = {
  /** For the server's configuration: the current users. */
  settings(): Promise<Readonly<Record<string, unknown>>>;
  /** The server's address with the login of the user with all permissions. */
  withPassword(url: string): string;
  /** The settings with which a service logs in at `url`. */
  settingsFor(
    url: string,
    service: ServiceName,
    pools?: readonly string[],
  ): Promise<Readonly<Record<string, string>>>;
};

/**
 * @param folder - For the users' files.
 * @param reload - Makes the running server, or each one of a cluster, reload its users.
 * @param tls - With which clients verify the server's certificate.
 */
export function createLock(
  folder: string,
  reload: (users: readonly NatsUser[], more: readonly PasswordUser[]) => Promise<void>,
  tls?: NatsTls,
): Lock {
  const tester = { user: "test", password: randomBytes(12).toString("hex") };
  const known = new Set<string>();
  let adding = Promise.resolve();
  const secured = tls === undefined ? {} : { tls };

  const addWorker = async (url: string, name: string, pools: readonly string[]): Promise<void> => {
    const users = await keepUsers(folder, pools);
    await reload(users, [tester]);
    // First, because requests to the server while it reloads its users may never be answered.
    const seed = users.find((user) => user.name === name)?.file ?? "";
    await Promise.all(url.split(",").map((one) => untilLetIn({ ...secured, url: one }, seed)));
    await using bus = await connectBus({ ...secured, url: withPassword(url), name: "testkit" });
    await Promise.all(pools.map((pool) => provisionQueue(bus, queueOfPool(pool))));
    known.add(name);
  };
  const withPassword = (url: string): string => url.replace("://", `://${tester.user}:${tester.password}@`);
  return {
    settings: async () => authorizationOf(await keepUsers(folder, []), [tester]),
    withPassword,
    async settingsFor(url, service, pools = ["default"]) {
      const name = service === "executor" ? workerName(pools) : service;
      if (service === "executor" && !known.has(name)) {
        const added = adding.then(() => (known.has(name) ? undefined : addWorker(url, name, pools)));
        // An error is the caller's; the next call starts over.
        adding = added.catch(() => undefined);
        await added;
      }
      const user = (await keepUsers(folder, [])).find((one) => one.name === name);
      const ca = tls?.ca === undefined ? {} : { NATS_TLS_CA: tls.ca };
      return { NATS_URL: url, NATS_NKEY_SEED: user?.file ?? "", ...ca };
    },
  };
}

/** Waits until the server has reloaded its users, which takes some time. */
async function untilLetIn(access: NatsAccess, seed: string): Promise<void> {
  const signal = AbortSignal.timeout(LOGIN_WITHIN_MS);
  const login = { kind: "nkey", seed } as const;
  const connection = await connectNats({ ...access, login }, { name: "testkit", signal });
  await connection.close();
}
