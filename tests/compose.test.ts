// docker-compose.yml against the code that it runs: it cannot be run everywhere, so its services, ports,
// environment and health checks are compared with the services' own configuration schemas.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { executorService } from "@planwright/executor";
import { gatewayService } from "@planwright/gateway";
import { plannerService } from "@planwright/planner";
import { reflectorService } from "@planwright/reflector";
import { readConfig, type ServiceDefinition } from "@planwright/shared/service";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = path.resolve(import.meta.dirname, "..");
const DEFINITIONS: Readonly<Record<string, ServiceDefinition>> = {
  planner: plannerService,
  executor: executorService,
  reflector: reflectorService,
  gateway: gatewayService,
};
const SERVICES = Object.entries(DEFINITIONS).map(([name, definition]) => ({ name, definition }));
/** Read by the health check, not by a service. */
const HEALTHCHECK_VARIABLES = ["NATS_MONITOR_URL"];

/** A folder of the volume in which the users of nats-server are. */
const UserMount = z.object({
  type: z.literal("volume"),
  source: z.literal("users"),
  target: z.string(),
  read_only: z.literal(true),
  volume: z.object({ subpath: z.string() }),
});

const ComposeService = z.object({
  image: z.string(),
  build: z.string().optional(),
  container_name: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.union([z.string(), UserMount])).default([]),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  /** None where a container does its work and ends. */
  healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), retries: z.int() }).optional(),
  stop_grace_period: z.string().optional(),
});
const Compose = z.object({
  services: z.record(z.string(), ComposeService),
  configs: z.record(z.string(), z.object({ content: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
});

const text = await readFile(path.join(ROOT, "docker-compose.yml"), "utf8");
const compose = Compose.parse(parse(text, { merge: true }));

const clusterText = await readFile(path.join(ROOT, "deploy/cluster/docker-compose.yml"), "utf8");
const cluster = z
  .object({ services: z.record(z.string(), z.unknown()), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(clusterText, { merge: true }));

/** What a user sets to start it. */
const USER_ENVIRONMENT = { PLANWRIGHT_API_KEYS: "key-of-a-test", OPENAI_API_KEY: "sk-test" };

describe("docker-compose.yml", () => {
  it("runs nats, the four services and a trace viewer, each with a health check", () => {
    const running = Object.entries(compose.services).filter(
      ([, { healthcheck }]) => healthcheck !== undefined,
    );
    expect(running.map(([name]) => name).sort()).toEqual(
      ["nats", "traces", ...SERVICES.map(({ name }) => name)].sort(),
    );
  });

  it("creates the users and the streams first, by a script of the image", () => {
    const script = "packages/shared/src/users/main.ts";
    expect(existsSync(path.join(ROOT, script))).toBe(true);
    expect(service("users").command?.slice(0, 3)).toEqual(["node", script, "users"]);
    expect(service("provision").command?.slice(0, 3)).toEqual(["node", script, "provision"]);
    expect(service("nats").depends_on).toEqual({ users: { condition: "service_completed_successfully" } });
    expect(service("provision").depends_on).toEqual({ nats: { condition: "service_healthy" } });
  });

  it.each([
    ...SERVICES.map(({ name }) => ({ name, user: name === "executor" ? "worker" : name })),
    { name: "provision", user: "admin" },
  ])("gives $name the user $user and no other", ({ name, user }) => {
    const mounts = service(name).volumes.filter((mount) => typeof mount !== "string");
    expect(mounts.map(({ target, volume }) => [target, volume.subpath])).toEqual([["/users", user]]);
    expect(service(name).environment["NATS_NKEY_SEED"]).toBe("/users/seed.nk");
  });

  it("runs the four services from one image", () => {
    const images = SERVICES.map(({ name }) => [service(name).image, service(name).build]);
    expect(new Set(images.map(String)).size).toBe(1);
  });

  it.each(SERVICES)("runs the main script of $name, once nats is healthy and provisioned", ({ name }) => {
    const [program, script = ""] = service(name).command ?? [];
    expect(program).toBe("node");
    expect(script).toBe(`services/${name}/src/main.ts`);
    expect(existsSync(path.join(ROOT, script))).toBe(true);
    expect(service(name).depends_on).toEqual({
      nats: { condition: "service_healthy" },
      provision: { condition: "service_completed_successfully" },
    });
  });

  it.each(SERVICES)("gives $name no variable that it does not read", ({ name, definition }) => {
    const known = [...Object.keys(definition.Config.shape), ...HEALTHCHECK_VARIABLES];
    expect(Object.keys(service(name).environment).filter((variable) => !known.includes(variable))).toEqual(
      [],
    );
  });

  it.each(SERVICES)("hands every setting of $name's model on", ({ name, definition }) => {
    const settings = Object.keys(definition.Config.shape).filter((variable) =>
      /^(OPENAI|PLANNER|EXECUTOR|REFLECTOR)_(MODEL|BASE_URL|API_KEY)$|^MODEL_PRICES$/.test(variable),
    );
    expect(Object.keys(service(name).environment)).toEqual(expect.arrayContaining(settings));
  });

  it.each(SERVICES)("gives $name an environment that its schema accepts", ({ name, definition }) => {
    const config = readConfig(definition.Config, environmentOf(name, USER_ENVIRONMENT));
    expect(config).toMatchObject({
      NATS_URL: "nats://nats:4222",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces:4318",
    });
  });

  it("listens for other machines, and does not start without keys", () => {
    const { HOST } = readConfig(gatewayService.Config, environmentOf("gateway", USER_ENVIRONMENT));
    expect(HOST).toBe("0.0.0.0");
    expect(() => environmentOf("gateway", { OPENAI_API_KEY: "sk-test" })).toThrow("PLANWRIGHT_API_KEYS");
  });

  it("publishes the gateway's port and checks its readiness there", () => {
    const { PORT } = readConfig(gatewayService.Config, environmentOf("gateway", USER_ENVIRONMENT));
    expect(service("gateway").ports.map((port) => interpolate(port, {}))).toEqual([`8080:${PORT}`]);
    expect(service("gateway").ports.map((port) => interpolate(port, { PORT: "9000" }))).toEqual([
      `9000:${PORT}`,
    ]);
    expect(service("gateway").healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${PORT}/readyz`);
  });

  it.each(SERVICES)("keeps the health check of $name to what the image contains", ({ name }) => {
    const [kind, program, script = "", target] = service(name).healthcheck?.test ?? [];
    expect([kind, program]).toEqual(["CMD", "node"]);
    expect(existsSync(path.join(ROOT, script))).toBe(true);
    expect(target).toMatch(name === "gateway" ? /^http:/ : new RegExp(`^${name}$`));
  });

  it("lets the executor be scaled: no name, no port and no folder that instances would share", () => {
    const { container_name, ports, volumes } = service("executor");
    const shared = volumes.filter((mount) => typeof mount === "string" || !mount.read_only);
    expect({ container_name, ports, shared }).toEqual({ container_name: undefined, ports: [], shared: [] });
  });

  it("waits longer for a service to stop than the service waits for itself", () => {
    for (const { name } of SERVICES) expect(service(name).stop_grace_period).toBe("15s");
  });

  it("declares every volume that it mounts, and mounts files that exist", () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.map((mount) => (typeof mount === "string" ? (mount.split(":")[0] ?? "") : mount.source)),
    );
    const exists = (source: string) =>
      source.startsWith(".") ? existsSync(path.join(ROOT, source)) : source in compose.volumes;
    expect(mounts.filter((source) => !exists(source))).toEqual([]);
  });

  it("gives Prometheus the gateway's address and a key, and Grafana its dashboards, where they look for them", async () => {
    const { configs, volumes } = service("traces");
    const mounted = new Map(
      volumes.flatMap((mount) =>
        typeof mount === "string" ? [[mount.split(":")[0], mount.split(":")[1]]] : [],
      ),
    );
    const prometheus = Prometheus.parse(await deployed("prometheus.yaml"));
    const { PORT } = readConfig(gatewayService.Config, environmentOf("gateway", USER_ENVIRONMENT));
    expect(prometheus.scrape_configs).toEqual([
      expect.objectContaining({
        metrics_path: "/metrics",
        authorization: { type: "Bearer", credentials_file: configs[0]?.target },
        dns_sd_configs: [{ names: ["gateway"], type: "A", port: PORT }],
      }),
    ]);
    expect(configs.map(({ source }) => compose.configs[source]?.content)).toEqual([
      "${PLANWRIGHT_METRICS_KEY:-${PLANWRIGHT_API_KEYS}}",
    ]);
    const { providers } = Providers.parse(await deployed("dashboards.yaml"));
    expect(providers.map(({ options }) => options.path)).toEqual([
      mounted.get("./deploy/grafana/dashboards"),
    ]);
  });

  it("keeps the store of nats on its volume, on the monitoring port that the health checks use", async () => {
    const config = await readFile(path.join(ROOT, "deploy/nats.conf"), "utf8");
    const store = /store_dir: (\S+)/.exec(config)?.[1];
    const monitor = /http: 0\.0\.0\.0:(\d+)/.exec(config)?.[1];
    expect(service("nats").volumes).toContain(`nats:${store}`);
    expect(service("nats").healthcheck?.test.join(" ")).toContain(`http://127.0.0.1:${monitor}/healthz`);
    expect(service("planner").environment["NATS_MONITOR_URL"]).toBe(`http://nats:${monitor}`);
  });
});

describe("deploy/cluster/docker-compose.yml", () => {
  const servers = ["nats", "nats-2", "nats-3"];

  it("adds two nats-servers and gives all three the same configuration, users and health check", () => {
    const added = servers.map((name) => Nats.parse(cluster.services[name]));
    expect(added.map(({ environment }) => environment.NATS_NAME)).toEqual(servers);
    expect(
      new Set(added.map(({ command, healthcheck }) => JSON.stringify({ command, healthcheck }))).size,
    ).toBe(1);
    const mounts = added.map(({ volumes }, index) => [
      ...(index === 0 ? service("nats").volumes : []),
      ...volumes,
    ]);
    const ownStore = (mount: unknown) => String(mount).endsWith(":/data");
    expect(
      mounts.map((all) =>
        all
          .filter((mount) => !ownStore(mount))
          .map(targetOf)
          .sort(),
      ),
    ).toEqual(servers.map(() => ["/etc/nats/cluster.conf", "/etc/nats/planwright.conf", "/etc/nats/users"]));
    expect(mounts.map((all) => all.find(ownStore))).toEqual(servers.map((name) => `${name}:/data`));
    expect([...Object.keys(cluster.volumes), "nats"].sort()).toEqual(servers);
  });

  it("names all of them to each service, to its health check and to the other servers", async () => {
    const config = await readFile(path.join(ROOT, "deploy/cluster/nats.conf"), "utf8");
    expect([...config.matchAll(/nats:\/\/(\S+):6222/g)].map(([, host]) => host)).toEqual(servers);
    const urls = servers.map((name) => `nats://${name}:4222`).join();
    const monitors = servers.map((name) => `http://${name}:8222`).join();
    for (const { name } of SERVICES) {
      expect(Added.parse(cluster.services[name]).environment).toEqual({
        NATS_URL: urls,
        NATS_MONITOR_URL: monitors,
      });
    }
    const { environment, depends_on } = Added.parse(cluster.services["provision"]);
    expect(environment).toEqual({ NATS_URL: urls, NATS_REPLICAS: String(servers.length) });
    expect(Object.keys(depends_on)).toEqual(servers);
  });

  it("changes nothing else", () => {
    const names = [...Object.keys(compose.services), ...servers];
    expect(Object.keys(cluster.services).filter((name) => !names.includes(name))).toEqual([]);
  });
});

const Added = z.strictObject({
  environment: z.record(z.string(), z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.literal("service_healthy") })).default({}),
});
const Nats = z.object({
  command: z.array(z.string()),
  environment: z.strictObject({ NATS_NAME: z.string() }),
  healthcheck: z.object({ test: z.array(z.string()) }),
  volumes: z.array(z.union([z.string(), UserMount])),
});
const Prometheus = z.object({ scrape_configs: z.array(z.looseObject({})) });
const Providers = z.object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) });

async function deployed(name: string): Promise<unknown> {
  return parse(await readFile(path.join(ROOT, "deploy/grafana", name), "utf8"));
}

function targetOf(mount: string | z.infer<typeof UserMount>): string {
  return typeof mount === "string" ? (mount.split(":")[1] ?? "") : mount.target;
}

function service(name: string) {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

function environmentOf(name: string, user: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(service(name).environment);
  return Object.fromEntries(entries.map(([variable, value]) => [variable, interpolate(value, user)]));
}

/** `${NAME:-default}` and `${NAME:?message}`, as Compose reads them. */
function interpolate(value: string, user: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name: string, kind: string, rest: string) => {
    const given = user[name];
    if (given !== undefined && given !== "") return given;
    if (kind === "?") throw new Error(`${name}: ${rest}`);
    return rest;
  });
}
