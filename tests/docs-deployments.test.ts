// Commands of Docker, Kubernetes, Helm, systemd and NATS that the documents show. None of these programs needs to be installed:
// each command is compared with the Compose files, the chart, the units and the streams that it names.
import { VERSION } from "@planwright/shared/version";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DEFINITIONS, isSecret } from "../scripts/chart/chart-settings.ts";
import { renderedFile, VALUES } from "../scripts/chart/rendered-chart.ts";
import { blocksRunBy, placeOf } from "./support/documents/block-runners.ts";
import { commandsOf, settingsOf } from "./support/documents/shell-settings.ts";
import { Manifest, readManifests, readYaml } from "./support/kubernetes.ts";

const CHART = path.dirname(VALUES);
const IMAGE = `registry.example.com/planwright:${VERSION}`;
const commands = blocksRunBy("tests/docs-deployments.test.ts").flatMap((block) =>
  commandsOf(block.code).map((line) => ({ place: placeOf(block), line, ...settingsOf(line) })),
);
/** The commands of a program, with what comes before a pipe or after one. */
const of = (start: RegExp) =>
  commands.flatMap(({ place, env, command }) =>
    command
      .split(/ \| | && /)
      .filter((part) => start.test(part))
      .map((part) => ({ place, env, part })),
  );
const settings = new Set(Object.values(DEFINITIONS).flatMap(({ Config }) => Object.keys(Config.shape)));
const named = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name = ""]) => name);

it("compares every command with something", () => {
  const known = /^(?:docker|kubectl|helm|nats|npx planwright|npm start|useradd|cp|install|systemctl|mkdir)\b/;
  expect(commands.filter(({ command }) => !known.test(command)).map(({ line }) => line)).toEqual([]);
  expect(commands.length).toBeGreaterThan(20);
});

describe("Compose", () => {
  const composing = of(/^docker compose /);
  const Compose = z.looseObject({ services: z.record(z.string(), z.unknown()) });
  const files = composing
    .map(({ part }) => named(part, / -f (\S+)/g))
    .map((list) => (list.length === 0 ? ["docker-compose.yml"] : list));

  it("reads files that exist, and scales services that they have", () => {
    expect(composing).toHaveLength(2);
    for (const [index, { part }] of composing.entries()) {
      const services =
        files[index]?.flatMap((file) => Object.keys(Compose.parse(readYaml(file)).services)) ?? [];
      expect(services).toEqual(expect.arrayContaining(named(part, / --scale (\w+)=/g)));
    }
  });

  it("passes only variables that a file uses", () => {
    for (const [index, { env }] of composing.entries()) {
      const text = files[index]?.map((file) => readFileSync(file, "utf8")).join("\n") ?? "";
      expect(Object.keys(env).filter((name) => !text.includes(`\${${name}`))).toEqual([]);
    }
  });
});

describe("images", () => {
  it("are built for two architectures under the name that the chart and the other commands use", () => {
    const [build] = of(/^docker buildx build /);
    expect(build?.part).toContain("--platform linux/amd64,linux/arm64");
    expect(named(build?.part ?? "", /--tag (\S+)/g)).toEqual([IMAGE]);
    expect(existsSync("Dockerfile")).toBe(true);
  });

  it("run scripts that exist, mounted where they write", () => {
    const runs = of(/^docker run .*registry\.example\.com/);
    expect(runs).toHaveLength(1);
    for (const { part } of runs) {
      expect(part).toContain(`${IMAGE} node `);
      const [, script = "", folder] = /node (\S+\.ts) secrets (\S+) default/.exec(part) ?? [];
      expect(existsSync(script)).toBe(true);
      expect(part).toContain(`:${folder}"`);
    }
  });

  it("of other projects run with settings of our services", () => {
    const jaeger = commands.filter(({ place }) => place.startsWith("docs/traces.md"));
    expect(jaeger.map(({ command }) => command)).toEqual([
      expect.stringContaining("jaegertracing/jaeger"),
      "npm start",
    ]);
    const names = jaeger.flatMap(({ env }) => Object.keys(env));
    expect(names).toHaveLength(3);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
    for (const port of named(JSON.stringify(jaeger.map(({ env }) => env)), /localhost:(\d+)/g))
      expect(jaeger[0]?.command).toContain(`-p ${port}:${port}`);
  });
});

describe("Kubernetes", () => {
  const manifests = readManifests(renderedFile("default.yaml"));
  const text = readFileSync(renderedFile("default.yaml"), "utf8");
  const values = readFileSync(VALUES, "utf8");

  it("creates the Secrets that the chart mounts, with settings that belong there", () => {
    const secrets = of(/^kubectl create secret generic /);
    expect(secrets).toHaveLength(3);
    for (const { part } of secrets) {
      const [name = ""] = named(part, /generic (\S+)/g);
      expect(values).toMatch(new RegExp(`: ${name}$`, "m"));
      const keys = named(part, /--from-literal "?(\w+)=/g);
      expect(keys.length).toBeGreaterThan(0);
      // The key by which Prometheus and KEDA read the metrics is no setting of a service.
      expect(keys.filter((key) => key !== "key" && !isSecret(key))).toEqual([]);
    }
  });

  it("installs the chart from its folder, with values that it has", () => {
    const helm = of(/^helm /);
    expect(helm).toHaveLength(2);
    for (const { part } of helm) {
      expect(part).toContain(` ${CHART}`);
      for (const value of named(part, /--set ([\w.]+)=/g))
        expect(valueAt(readYaml(VALUES), value)).toBeDefined();
    }
  });

  it("forwards the ports of objects that the chart creates, in the namespace that it is installed in", () => {
    const Service = Manifest.extend({
      spec: z.looseObject({ ports: z.array(z.looseObject({ port: z.int() })) }),
    });
    const forwarded = of(/^kubectl port-forward /);
    expect(forwarded).toHaveLength(2);
    for (const { part } of forwarded) {
      const [, kind, name = "", port = ""] = /(service|pod)\/(\S+) (\d+) &$/.exec(part) ?? [];
      const service = manifests.find((one) => one.kind === "Service" && one.metadata.name === name);
      // The chart of NATS creates its pods; ours names them in NATS_URL.
      const reached =
        kind === "pod"
          ? named(text, /nats:\/\/([\w-]+)/g).map((server) => `${server} 4222`)
          : Service.parse(service).spec.ports.map((one) => `${name} ${one.port}`);
      expect(reached).toContain(`${name} ${port}`);
    }
    const namespaces = commands.flatMap(({ command }) => named(command, /--namespace (\S+)/g));
    expect(new Set(namespaces)).toEqual(new Set(["planwright"]));
  });

  it("runs commands of Planwright with settings that it reads", () => {
    const ours = of(/^npx planwright /).filter(({ place }) => place.startsWith("docs/kubernetes.md"));
    expect(ours.map(({ env }) => Object.keys(env).toSorted())).toEqual([
      ["PLANWRIGHT_API_KEY"],
      ["NATS_NKEY_SEED", "NATS_URL"],
    ]);
  });
});

describe("systemd", () => {
  const lines = commands
    .filter(({ place }) => place.startsWith("docs/operations.md"))
    .map(({ line }) => line);
  const unit = readFileSync("deploy/systemd/planwright.service", "utf8");

  it("installs units that exist, and enables those", () => {
    const sources = lines.flatMap((line) => named(line, /(deploy\/systemd\/[\w.*-]+)/g));
    const installed = sources.flatMap((source) => globSync(source)).map((file) => path.basename(file));
    expect(sources.every((source) => globSync(source).length > 0)).toBe(true);
    const [, enabled = ""] = /systemctl enable --now (.+)$/.exec(lines.at(-1) ?? "") ?? [];
    for (const name of enabled.split(" "))
      expect(installed).toContain(name.includes(".") ? name : `${name}.service`);
  });

  it("creates the user, the folder and the file that the unit names", () => {
    const all = lines.join("\n");
    const valueOf = (key: string) => new RegExp(`^${key}=-?(.+)$`, "m").exec(unit)?.[1] ?? "missing";
    expect(all).toMatch(new RegExp(`^useradd .* ${valueOf("User")}$`, "m"));
    expect(all).toContain(`cp -R . ${valueOf("WorkingDirectory")} `);
    expect(all).toMatch(new RegExp(`^install .* /dev/null ${valueOf("EnvironmentFile")}\\b`, "m"));
    expect(all).toContain(`--home-dir ${/PLANWRIGHT_DATA=(\S+)/.exec(unit)?.[1]} `);
  });
});

it("reads a message of NATS from a stream that has its subject", () => {
  const part = of(/^nats /)[0]?.part ?? "";
  const [, stream = "", subject = ""] = /stream get (\w+) --last-for '([\w<>.]+)'/.exec(part) ?? [];
  const reference = readFileSync("docs/reference/nats.md", "utf8");
  expect(reference).toContain(`| \`${stream}\` | \`${subject.split(".")[0]}.>\` |`);
});

function valueAt(values: unknown, dotted: string): unknown {
  return dotted
    .split(".")
    .reduce((value: unknown, key) => z.looseObject({}).safeParse(value).data?.[key], values);
}
