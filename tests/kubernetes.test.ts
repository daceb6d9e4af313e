// deploy/kubernetes as Helm renders it, against the schemas of Kubernetes and KEDA and against the code that it runs. There is no
// cluster here: that the manifests are right is known from what they say, not from running them.
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { STREAMS } from "@planwright/shared/bus";
import { readConfig, type ServiceDefinition } from "@planwright/shared/service";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { DEFINITIONS, isSecret, SERVICES, type ServiceName } from "../scripts/chart/chart-settings.ts";
import {
  renderedFile,
  sourceDigest,
  templateArguments,
  VALUES,
  valuesFiles,
} from "../scripts/chart/rendered-chart.ts";
import {
  Deployment,
  Job,
  Manifest,
  NetworkPolicy,
  ofKind,
  type Pod,
  readManifests,
  readYaml,
  ROOT,
  ScaledObject,
  schemaFaults,
} from "./support/kubernetes.ts";

const NAMES = await valuesFiles(ROOT);
const CHARTS = NAMES.map((name) => ({ name, manifests: readManifests(renderedFile(name)) }));
const DEPLOYMENTS = CHARTS.flatMap(({ name, manifests }) =>
  ofKind(Deployment, manifests).map((deployment) => ({
    title: `${deployment.metadata.name} of ${name}`,
    service: serviceOf(deployment.spec.template),
    deployment,
    pod: deployment.spec.template,
    manifests,
  })),
);
const PODS = [
  ...DEPLOYMENTS.map(({ title, pod }) => ({ title, pod })),
  ...CHARTS.flatMap(({ name, manifests }) =>
    ofKind(Job, manifests).map(({ spec, metadata }) => ({
      title: `${metadata.name} of ${name}`,
      pod: spec.template,
    })),
  ),
];
/** What users put into Secrets, docs/kubernetes.md. */
const SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "planwright-model": { OPENAI_API_KEY: "sk-test" },
  "planwright-gateway": { PLANWRIGHT_API_KEYS: "key-of-a-test" },
  "planwright-executor": {},
};
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-kubernetes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(CHARTS)("the manifests of $name", ({ name, manifests }) => {
  it("are as new as the chart: otherwise run `npm run chart`", async () => {
    const [, digest] = readFileSync(path.join(ROOT, renderedFile(name)), "utf8").split("\n");
    expect(digest).toBe(`# ${await sourceDigest(ROOT, name)}`);
  });

  it("are accepted by the schemas of Kubernetes and KEDA, without a field that these do not have", async () => {
    const faults = await Promise.all(
      manifests.map(async (manifest) =>
        (await schemaFaults(manifest)).map((fault) => `${manifest.kind} ${manifest.metadata.name}: ${fault}`),
      ),
    );
    expect(faults.flat()).toEqual([]);
    expect(manifests.length).toBeGreaterThan(15);
  });

  it("have unique names, and a disruption budget for every service", () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    for (const { metadata } of ofKind(Deployment, manifests))
      expect(names).toContain(`PodDisruptionBudget ${metadata.name}`);
  });

  it("let only the gateway be reached from outside, and NATS by Planwright alone", () => {
    const policies = ofKind(NetworkPolicy, manifests);
    const all = { "app.kubernetes.io/name": "planwright", "app.kubernetes.io/instance": "planwright" };
    const nats = { ...all, "app.kubernetes.io/name": "nats", "app.kubernetes.io/component": "nats" };
    const deny = policies.find(({ metadata }) => metadata.name === "planwright-deny");
    expect(deny?.spec).toEqual({ podSelector: { matchLabels: all }, policyTypes: ["Ingress", "Egress"] });
    const reached = policies.filter(({ spec }) => spec.ingress !== undefined);
    const isOwn = name !== "external-nats.yaml";
    expect(reached.map(({ spec }) => spec.podSelector.matchLabels)).toEqual([
      { ...all, "app.kubernetes.io/component": "gateway" },
      ...(isOwn ? [nats] : []),
    ]);
    const sources = reached[1]?.spec.ingress?.flatMap(({ from }) => from) ?? [];
    const keda = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "keda" } } };
    expect(sources).toEqual([
      ...(isOwn ? [{ podSelector: { matchLabels: all } }, { podSelector: { matchLabels: nats } }] : []),
      ...(name === "lag.yaml" ? [keda] : []),
    ]);
  });

  it("provision the queue of every pool with a hook on upgrade, and beside the services on install", () => {
    const [job, ...others] = ofKind(Job, manifests);
    expect(others).toEqual([]);
    const [program, script = "", command, pools = ""] = job?.spec.template.spec.containers[0].command ?? [];
    expect([program, command, existsSync(path.join(ROOT, script))]).toEqual(["node", "provision", true]);
    const deployed = ofKind(Deployment, manifests).flatMap(({ spec }) => poolOf(spec.template) ?? []);
    expect(pools.split(",")).toEqual(deployed.toSorted());
    const hook = templateArguments(name).includes("--is-upgrade") ? "pre-upgrade" : undefined;
    expect(job?.metadata.annotations["helm.sh/hook"]).toBe(hook);
  });
});

describe.each(DEPLOYMENTS)("$title", ({ service, deployment, pod, manifests }) => {
  const definition: ServiceDefinition = DEFINITIONS[service];
  const { Config } = definition;
  const [container] = pod.spec.containers;

  it("runs an existing service, in an environment that the service reads and accepts", () => {
    expect(container.command).toEqual(["node", `services/${service}/src/main.ts`]);
    expect(existsSync(path.join(ROOT, container.command[1] ?? ""))).toBe(true);
    const known = new Set([...Object.keys(Config.shape), "NATS_MONITOR_URL"]);
    const variables = container.env.map(({ name }) => name);
    expect(variables.filter((variable) => !known.has(variable) || isSecret(variable))).toEqual([]);
    expect(variables).toEqual([...new Set(variables)]);
    const config = readConfig(Config, environmentOf(pod));
    expect(config).toMatchObject({ NATS_NKEY_SEED: "/users/seed.nk" });
  });

  it("gives its pods longer to stop than the service gives itself", () => {
    const config = readConfig(Config, environmentOf(pod));
    const grace = definition.graceMs?.(config) ?? 10_000;
    const before = (container.lifecycle?.preStop.sleep.seconds ?? 0) * 1_000;
    expect(pod.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(grace + before);
  });

  it("is probed where the service answers", () => {
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    const run = (...args: string[]) => ({ exec: { command: ["node", "deploy/healthcheck.ts", ...args] } });
    const get = (route: string) => ({ httpGet: { path: route, port: "http" } });
    expect(probes).toMatchObject(
      service === "gateway"
        ? [get("/healthz"), get("/readyz"), get("/healthz")]
        : [run(service), run(service), run("--live", service)],
    );
    const { PORT, HOST } = environmentOf(pod);
    const ports = PORT === undefined ? [] : [{ name: "http", containerPort: Number(PORT) }];
    expect({ HOST, ports: container.ports }).toEqual({
      HOST: service === "gateway" ? "0.0.0.0" : undefined,
      ports,
    });
  });

  it("selects its own pods, and leaves their number to an autoscaler where there is one", () => {
    expect(pod.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels);
    const { name } = deployment.metadata;
    const isScaled = ofKind(ScaledObject, manifests).some(({ spec }) => spec.scaleTargetRef.name === name);
    expect(deployment.spec.replicas === undefined).toBe(isScaled);
  });
});

it.each(PODS)("runs $title without any right that it does not need", ({ pod }) => {
  const [container] = pod.spec.containers;
  expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, serviceAccountName: "planwright" });
  expect(pod.spec.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1_000,
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  // Namespaces for bubblewrap: only where a pod has its own user namespace.
  expect(container.securityContext["procMount"] === "Unmasked").toBe(pod.spec.hostUsers === false);
});

it("gives each service its own user of NATS, among those that the script prints as Secrets", async () => {
  const script = path.join(ROOT, "packages/shared/src/users/main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "secrets", folder, "default,gpu"]);
  const { items } = z.object({ items: z.array(Manifest) }).parse(JSON.parse(stdout));
  expect((await Promise.all(items.map(schemaFaults))).flat()).toEqual([]);
  const printed = items.map(({ metadata }) => metadata.name);
  for (const { title, pod } of PODS) {
    const users = pod.spec.volumes.flatMap(({ name, secret }) =>
      name === "nats-user" ? [secret?.secretName] : [],
    );
    const { component = "" } =
      /^(?<component>\w+)/.exec(pod.metadata.labels["app.kubernetes.io/component"] ?? "")?.groups ?? {};
    const user = { executor: `worker-${poolOf(pod)}`, provision: "admin" }[component] ?? component;
    expect(users, title).toEqual([`planwright-nats-${user}`]);
    expect(printed, title).toContain(users[0]);
  }
  const values = z.object({ nats: z.looseObject({}) }).parse(readYaml(VALUES));
  expect(JSON.stringify(values.nats)).toContain('"secretName":"planwright-nats-users"');
  expect(printed).toContain("planwright-nats-users");
});

it.each(["/healthz", "/readyz", "/metrics"])("requests only routes that gateways have: %s", (route) => {
  const contract = readFileSync(path.join(ROOT, "docs/reference/http.md"), "utf8");
  expect(contract).toMatch(new RegExp(`\\bGET ${route}\\b`));
});

it("scales each pool by a metric of that pool that exists", () => {
  const triggers = CHARTS.flatMap(({ manifests }) =>
    ofKind(ScaledObject, manifests).map(({ spec }) => ({
      pool: spec.scaleTargetRef.name.replace("planwright-executor-", ""),
      type: spec.triggers[0].type,
      metadata: spec.triggers[0].metadata,
    })),
  );
  expect(new Set(triggers.map(({ type }) => type))).toEqual(
    new Set(["metrics-api", "nats-jetstream", "prometheus"]),
  );
  const metrics = readFileSync(path.join(ROOT, "docs/reference/metrics.md"), "utf8");
  expect(metrics).toContain("| `planwright_pool_demand` | gauge | `pool` |");
  for (const { pool, type, metadata } of triggers) {
    const metric = `planwright_pool_demand{pool="${pool}"}`;
    const url = "http://planwright-gateway.planwright.svc:8080/metrics";
    const expected: Readonly<Record<string, object>> = {
      "metrics-api": { url, valueLocation: metric, format: "prometheus" },
      prometheus: { query: `max(${metric})` },
      "nats-jetstream": {
        stream: STREAMS.work,
        consumer: `pool-${pool}`,
        account: "$G",
        // Headless: KEDA puts the name of the pod that leads the consumer in front.
        natsServerMonitoringEndpoint: "planwright-nats-headless.planwright.svc:8222",
      },
    };
    expect(metadata).toMatchObject(expected[type] ?? {});
  }
});

it("gives nats-server the users where its configuration includes them, and the limits of deploy/nats.conf", () => {
  const { nats } = NatsValues.parse(readYaml(VALUES));
  const { merge } = nats.config;
  const [mount] = nats.container.patch.map(({ value }) => value);
  const include = path.posix.join("/etc/nats-config", merge.$include);
  expect(include).toBe(`${mount?.mountPath}/users.conf`);
  expect(nats.podTemplate.patch).toMatchObject([
    {
      path: "/spec/volumes/-",
      value: { name: mount?.name, secret: { secretName: "planwright-nats-users" } },
    },
  ]);
  const conf = readFileSync(path.join(ROOT, "deploy/nats.conf"), "utf8");
  for (const limit of ["max_payload", "max_pending"] as const)
    expect(merge[limit]).toBe(`<< ${new RegExp(`^${limit}: (\\S+)$`, "m").exec(conf)?.[1]} >>`);
});

const NatsValues = z.object({
  nats: z.object({
    config: z.object({
      merge: z.object({ $include: z.string(), max_payload: z.string(), max_pending: z.string() }),
    }),
    container: z.object({
      patch: z.array(z.object({ value: z.object({ name: z.string(), mountPath: z.string() }) })),
    }),
    podTemplate: z.object({ patch: z.array(z.looseObject({})) }),
  }),
});

function serviceOf(pod: Pod): ServiceName {
  const { name } = pod.spec.containers[0];
  const service = SERVICES.find((one) => one === name);
  if (service === undefined) throw new Error(`no service ${name}`);
  return service;
}

function poolOf(pod: Pod): string | undefined {
  return pod.metadata.labels["planwright/pool"];
}

function environmentOf(pod: Pod): Record<string, string> {
  const [{ env, envFrom }] = pod.spec.containers;
  const secrets = envFrom.map(({ secretRef }) => SECRETS[secretRef.name] ?? {});
  return Object.assign({}, ...secrets, Object.fromEntries(env.map(({ name, value }) => [name, value])));
}
