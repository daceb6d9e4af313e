/** Three nats-servers on loopback, like a production cluster: TLS for clients and routes, and the users of `npm start`. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { reloadUsers } from "@planwright/launcher/credentials";
import { findNatsServer, type NatsServer, startNatsServer } from "@planwright/launcher/nats";
import { connectNats, type NatsTls } from "@planwright/shared/access";
import { noteStart, runFolder } from "../run/test-run.ts";
import { createLock, type Lock } from "./create-lock.ts";
import type { TestNats } from "./start-nats.ts";

const NAME = "planwright";

export type ClusterServer = {
  readonly name: string;
  /** For clients, without a login. */
  readonly url: string;
  isRunning(): boolean;
  /** Ends it immediately, like a crash; its store is kept. */
  kill(): Promise<void>;
  /** Starts it again with its store and ports, if it is not running. */
  start(): Promise<void>;
};

/** `kill` and `restart` apply to all servers simultaneously. */
export type NatsCluster = TestNats & {
  readonly servers: readonly ClusterServer[];
  /** The leader of a stream, according to the other servers; undefined while there is none. */
  leaderOf(stream: string): Promise<ClusterServer | undefined>;
  /** Starts the servers that are not running. */
  heal(): Promise<void>;
};

/**
 * Starts the servers and waits until each accepts connections; JetStream elects its leader after that.
 *
 * They are processes even when other servers are containers.
 *
 * @param tls - Of all servers, for 127.0.0.1; valid for clients and servers, because each route has a server on both sides.
 */
export async function startNatsCluster(tls: Required<NatsTls>): Promise<NatsCluster> {
  noteStart("nats cluster");
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(runFolder(), "cluster-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const { bin } = await findNatsServer({ env: process.env, log: () => undefined });
  const names = ["n1", "n2", "n3"];
  const ports = await freePorts(2 * names.length);
  const routes = names.map((_, index) => `nats://127.0.0.1:${ports[2 * index + 1]}`);
  const servers: Member[] = [];
  const users = path.join(folder, "users");
  const reload: Parameters<typeof createLock>[1] = async (known, more) => {
    const running = servers.filter((server) => server.isRunning());
    await Promise.all(running.map(({ storeDir }) => reloadUsers(storeDir, known, more)));
  };
  const lock = createLock(users, reload, { ca: tls.ca });
  for (const [index, name] of names.entries()) {
    const storeDir = path.join(folder, name);
    await mkdir(storeDir);
    const place = { bin, name, storeDir, port: ports[2 * index] ?? 0, routePort: ports[2 * index + 1] ?? 0 };
    servers.push(createMember(place, { routes, tls, lock }));
  }
  cleanup.defer(() => Promise.all(servers.map((server) => server.kill())).then(() => undefined));
  const heal = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.start())));
  const kill = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.kill())));
  await heal();

  const plainUrl = servers.map(({ url }) => url).join(",");
  const access = { url: lock.withPassword(plainUrl), tls: { ca: tls.ca } };
  const connection = await connectNats(access, { name: "testkit" });
  cleanup.defer(() => connection.close());
  const owned = cleanup.move();
  return {
    url: access.url,
    access,
    settingsFor: (service, pools) => lock.settingsFor(plainUrl, service, pools),
    servers,
    leaderOf: (stream) => leaderOf(stream, connection, servers),
    heal,
    kill,
    async restart() {
      await kill();
      await heal();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Place = {
  readonly bin: string;
  readonly name: string;
  readonly storeDir: string;
  readonly port: number;
  readonly routePort: number;
};

type Member = ClusterServer & Pick<Place, "storeDir">;

function createMember(
  { bin, name, storeDir, port, routePort }: Place,
  {
    routes,
    tls,
    lock,
  }: { readonly routes: readonly string[]; readonly tls: Required<NatsTls>; readonly lock: Lock },
): Member {
  let running: NatsServer | undefined;
  const files = { cert_file: tls.cert, key_file: tls.key, ca_file: tls.ca };
  const cluster = { name: NAME, listen: `127.0.0.1:${routePort}`, routes, tls: files };
  return {
    name,
    storeDir,
    url: `tls://127.0.0.1:${port}`,
    isRunning: () => running !== undefined,
    async kill() {
      const server = running;
      running = undefined;
      await server?.kill();
    },
    async start() {
      if (running !== undefined) return;
      const settings = { server_name: name, tls: files, cluster, ...(await lock.settings()) };
      const own = { bin, storeDir, port, settings, endsWithParent: true, log: () => undefined };
      running = await startNatsServer(own);
    },
  };
}

async function leaderOf(
  stream: string,
  connection: NatsConnection,
  servers: readonly ClusterServer[],
): Promise<ClusterServer | undefined> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const info = await manager.streams.info(stream).catch(() => undefined);
  return servers.find(({ name }) => name === info?.cluster?.leader);
}

/** Returns different ports that are currently unused. */
async function freePorts(count: number): Promise<number[]> {
  const listening = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  return Promise.all(
    listening.map(async (server) => {
      const address = server.address();
      await new Promise((resolve) => server.close(resolve));
      if (address === null || typeof address === "string") throw new TypeError("wanted a port");
      return address.port;
    }),
  );
}
