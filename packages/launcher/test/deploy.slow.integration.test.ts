// Tests the files of the container deployment with real processes: the configuration of nats-server, and the health check against
// its monitoring interface.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { type ClusterInfo, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { authorizationOf, keepUsers } from "@planwright/shared/users";
import { expect, it } from "vitest";
import { findNatsServer } from "../src/nats/index.ts";
import { renderNatsConfig } from "../src/nats/nats-config.ts";

const DEPLOY = path.resolve(import.meta.dirname, "../../../deploy");
const { bin } = await findNatsServer({ env: process.env, log: () => undefined });

/** Starts nats-server with deploy/nats.conf, but with free ports and a temporary store. */
async function startDeployed({ name = "", cluster }: { name?: string; cluster?: string } = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-deploy-"));
  const config = await readFile(path.join(DEPLOY, "nats.conf"), "utf8");
  // Under the names at which the containers mount them.
  await writeFile(path.join(folder, "planwright.conf"), config.replace("/data", folder));
  if (cluster !== undefined) await writeFile(path.join(folder, "cluster.conf"), cluster);
  // As written by the container `users`, plus a login for this test.
  await mkdir(path.join(folder, "users"));
  const users = await keepUsers(path.join(folder, "seeds"), ["default"]);
  const conf = authorizationOf(users, [{ user: "test", password: "test" }]);
  await writeFile(path.join(folder, "users", "users.conf"), JSON.stringify(conf));
  const own = path.join(folder, cluster === undefined ? "planwright.conf" : "cluster.conf");
  const args = ["-c", own, "-a", "127.0.0.1", "-p", "-1", "-m", "-1"];
  const env = { ...process.env, NATS_NAME: name };
  const child = spawn(bin, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const text = await untilReady(child);
  return {
    url: `nats://${/Listening for client connections on (\S+)/.exec(text)?.[1]}`,
    monitor: `http://127.0.0.1:${/Starting http monitor on \S+:(\d+)/.exec(text)?.[1]}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<string> {
  let text = "";
  child.stderr?.on("data", (chunk) => (text += String(chunk)));
  await expect.poll(() => text.includes("Server is ready") || child.exitCode !== null).toBe(true);
  expect(text).toContain("Server is ready");
  return text;
}

/** The names of the servers that hold a stream. */
function membersOf(cluster: ClusterInfo | undefined): string[] {
  const followers = cluster?.replicas?.map(({ name }) => name) ?? [];
  return [cluster?.leader ?? "none", ...followers].sort();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new TypeError("wanted a port");
  return address.port;
}

function healthcheck(target: string | readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = path.join(DEPLOY, "healthcheck.ts");
  const { status, stderr } = spawnSync(process.execPath, [script, ...[target].flat()], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { status, stderr };
}

it("gives containers the limits that `npm start` gives its own nats-server", async () => {
  await using server = await startDeployed();
  const connection = await connect({ user: "test", pass: "test", servers: server.url });
  const own = JSON.parse(renderNatsConfig({ storeDir: "/data" })) as {
    max_payload: number;
    max_pending: number;
  };
  expect(connection.info).toMatchObject({ jetstream: true, max_payload: own.max_payload });
  const variables = (await (await fetch(`${server.monitor}/varz`)).json()) as { max_pending: number };
  expect(variables.max_pending).toBe(own.max_pending);
  await connection.close();
});

it("forms one cluster of three servers, each with the name that its container sets", async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const names = ["nats", "nats-2", "nats-3"];
  const cluster = await readFile(path.join(DEPLOY, "cluster/nats.conf"), "utf8");
  await using servers = new AsyncDisposableStack();
  const started = await Promise.all(
    names.map(async (name, index) => {
      const own = names.reduce(
        (text, host, at) => text.replace(`nats://${host}:6222`, `nats://127.0.0.1:${ports[at]}`),
        cluster.replace("0.0.0.0:6222", `127.0.0.1:${ports[index]}`),
      );
      return servers.use(await startDeployed({ name, cluster: own }));
    }),
  );
  const connection = await connect({ user: "test", pass: "test", servers: started[0]?.url ?? "" });
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const create = () => manager.streams.add({ name: "S", subjects: ["s"], num_replicas: 3 });
  await expect.poll(() => create().then(({ cluster: of }) => membersOf(of), String)).toEqual(names);
  await connection.close();
});

it("finds a service healthy that is connected to any server of a cluster, even while another one is down", async () => {
  await using first = await startDeployed();
  await using second = await startDeployed();
  const env = { NATS_MONITOR_URL: `${first.monitor},http://127.0.0.1:1,${second.monitor}` };
  expect(healthcheck("planner", env)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no connection named planner"),
  });
  const connection = await connect({ user: "test", pass: "test", servers: second.url, name: "planner" });
  expect(healthcheck("planner", env)).toEqual({ status: 0, stderr: "" });
  await connection.close();
});

it("finds a service healthy only while its own connection to NATS is open", async () => {
  await using server = await startDeployed();
  const env = { NATS_MONITOR_URL: server.monitor };
  expect(healthcheck("planner", env)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("planner"),
  });
  const connection = await connect({ user: "test", pass: "test", servers: server.url, name: "planner" });
  expect(healthcheck("planner", env)).toEqual({ status: 0, stderr: "" });
  expect(healthcheck("executor", env).status).toBe(1);
  await connection.close();
  expect(healthcheck("planner", env).status).toBe(1);
});

it("counts a service as alive while NATS does not respond, and as dead when NATS responds without its connection", async () => {
  await using server = await startDeployed();
  const env = { NATS_MONITOR_URL: server.monitor };
  expect(healthcheck(["--live", "planner"], env).status).toBe(1);
  const connection = await connect({ user: "test", pass: "test", servers: server.url, name: "planner" });
  expect(healthcheck(["--live", "planner"], env)).toEqual({ status: 0, stderr: "" });
  await connection.close();
  const silent = { NATS_MONITOR_URL: "http://127.0.0.1:1" };
  expect(healthcheck(["--live", "planner"], silent).status).toBe(0);
  // The service may be connected to the cluster's server that does not respond.
  const one = { NATS_MONITOR_URL: `${server.monitor},http://127.0.0.1:1` };
  expect(healthcheck(["--live", "planner"], one).status).toBe(0);
  expect(healthcheck("planner", one).status).toBe(1);
});

it("is unhealthy when nothing responds, or the response is an error", async () => {
  expect(healthcheck("planner", { NATS_MONITOR_URL: "http://127.0.0.1:1" }).status).toBe(1);
  const script = `require("http").createServer((q,r)=>{r.statusCode=q.url==="/ok"?200:503;r.end()}).listen(0,"127.0.0.1",function(){console.log(this.address().port)})`;
  const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [port] = await once(server.stdout, "data");
  expect(healthcheck(`http://127.0.0.1:${String(port).trim()}/ok`).status).toBe(0);
  expect(healthcheck(`http://127.0.0.1:${String(port).trim()}/readyz`).status).toBe(1);
  server.kill();
});
