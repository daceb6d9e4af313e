// Settings and configuration files that the documents show: each is one that the services read, with the code that reads it.
import { AuditEntry, ENDPOINTS, PROBLEMS } from "@planwright/api";
import { PolicyFile, policyOf } from "@planwright/plan";
import { SourcesFile } from "@planwright/shared/tools";
import { Ajv } from "ajv";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { compilePattern } from "../packages/shared/src/redaction/compile-pattern.ts";
import { rulesOf } from "../packages/shared/src/redaction/redaction-file.ts";
import { DEFINITIONS } from "../scripts/chart/chart-settings.ts";
import { SCHEMA } from "../scripts/chart/rendered-chart.ts";
import { OTHER_VARIABLES } from "../scripts/docs/other-variables.ts";
import { readAgents } from "../services/executor/src/agents/agent-file.ts";
import { parseMcpFile } from "../services/executor/src/mcp/mcp-file.ts";
import { readSecrets } from "../services/executor/src/secrets/secrets-file.ts";
import { createToolbox } from "../services/executor/src/tools/create-toolbox.ts";
import { createAllTools } from "./support/all-tools.ts";
import { blocksRunBy, type DocumentBlock, placeOf } from "./support/documents/block-runners.ts";
import { commandsOf, settingsOf } from "./support/documents/shell-settings.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-settings-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const all = createAllTools();
afterAll(() => all[Symbol.dispose]());

const blocks = blocksRunBy("tests/docs-settings.test.ts").map((block) => ({
  ...block,
  place: placeOf(block),
}));
const byFile = Map.groupBy(blocks, ({ file }) => file);
const of = (file: string, language: string) =>
  (byFile.get(file) ?? []).filter((block) => block.language === language);
const jsonOf = ({ code }: DocumentBlock): unknown => JSON.parse(code);

describe("settings", () => {
  const lines = blocks
    .filter(({ language, code }) => language === "sh" || code.startsWith("TRACE_URL"))
    .flatMap(({ place, code }) => commandsOf(code).map((line) => ({ place, line, ...settingsOf(line) })));
  const given = lines.flatMap(({ place, env }) =>
    Object.entries(env).map(([name, value]) => ({ place, name, value })),
  );

  it("are found in every block of settings", () => {
    const places = blocks.filter(({ language }) => language === "sh").map(({ place }) => place);
    expect(new Set(given.map(({ place }) => place))).toEqual(expect.objectContaining(new Set(places)));
    expect(given.length).toBeGreaterThan(15);
  });

  it.each(given)(
    "$place sets $name to a value that every service which reads it accepts",
    ({ name, value }) => {
      if (name === "TOKEN") return;
      const readers = Object.values(DEFINITIONS).filter(({ Config }) => name in Config.shape);
      const isOther = OTHER_VARIABLES.some(([other]) => other === name);
      expect(readers.length > 0 || isOther).toBe(true);
      // Stands for a secret of at least the required length.
      const written = value === "…" ? "0123456789abcdef".repeat(4) : value;
      const faults = readers.flatMap(({ Config }) => {
        const Setting: z.ZodType =
          new Map<string, z.ZodType>(Object.entries(Config.shape)).get(name) ?? z.never();
        return Setting.safeParse(written).error?.issues ?? [];
      });
      expect(faults).toEqual([]);
    },
  );

  it("start programs of the repository that exist", () => {
    const programs = lines.flatMap(({ command }) => /(?<=\bnode )\S+/.exec(command) ?? []);
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((program) => !existsSync(program))).toEqual([]);
  });
});

describe("configuration files", () => {
  it("agents.json: its agent types use tools that exist", () => {
    const known = createToolbox(all.tools)
      .specs()
      .map(({ name }) => name);
    for (const { code } of of("docs/agents.md", "json")) {
      const { types } = readAgents("agents.json", code);
      const tools = Object.values(types).flatMap((type) => type.tools);
      expect(tools.filter((tool) => !known.includes(tool) && tool !== "agent.react")).toEqual([]);
    }
  });

  it("sources.json", () => {
    for (const block of of("docs/data.md", "json"))
      expect(SourcesFile.parse(jsonOf(block))).toMatchObject(jsonOf(block) as object);
  });

  it.each(of("docs/policy.md", "json"))("policy.json: $place", (block) => {
    const policy = PolicyFile.parse(jsonOf(block));
    const tenants = Object.keys(policy.tenants ?? {});
    for (const tenant of ["default", ...tenants]) expect(() => policyOf(policy, tenant)).not.toThrow();
  });

  it("redaction.json, and the error for an invalid rule", () => {
    const [file] = of("docs/redaction.md", "json");
    const [sample] = of("docs/redaction.md", "");
    const text = file?.code ?? "";
    expect(rulesOf({ file: "redaction.json", text }, compilePattern)).toHaveLength(4);
    const broken = text.replace("E-[0-9]{6}", "E-(?=[0-9]{6})");
    const [start = ""] = (sample?.code ?? "").split("…");
    expect(() => rulesOf({ file: "redaction.json", text: broken }, compilePattern)).toThrow(start);
  });

  it("secrets.json", async () => {
    const value = path.join(folder, "value");
    await writeFile(value, "a long secret");
    const [block] = of("docs/secrets.md", "json");
    const named = path.join(folder, "secrets.json");
    await writeFile(named, (block?.code ?? "").replace("/run/secrets/crm-token", value));
    const builtIn = new Set(
      createToolbox(all.tools)
        .specs()
        .map(({ name }) => name),
    );
    const place = { named, folders: [], env: {}, builtIn, tenants: 1 };
    expect(await readSecrets(place)).toMatchObject([{ name: "CRM", value: "a long secret" }]);
  });

  const servers = [...of("docs/mcp.md", "json"), ...of("docs/guides/connect-mcp.md", "json")];
  it.each(servers)(
    "mcp.json, and the files of other programs that name the MCP endpoint: $place",
    ({ code }) => {
      const endpoint = ENDPOINTS.find(({ id }) => id === "callMcp");
      for (const [, route] of code.matchAll(/http:\/\/127\.0\.0\.1:8080(\/\w+)/g))
        expect(route).toBe(endpoint?.path);
      const whole = code.startsWith('"tools"')
        ? `{"mcpServers": {"files": {"command": "npx", ${code}}}}`
        : code;
      if ("servers" in z.looseObject({}).parse(JSON.parse(whole))) return;
      const env = { TICKETS_TOKEN: "t", PLANWRIGHT_API_KEY: "k" };
      expect(parseMcpFile(whole, env)).toMatchObject({
        broken: [],
        servers: expect.arrayContaining([expect.objectContaining({ target: expect.anything() })]),
      });
    },
  );

  it("values of the chart", () => {
    const schema = z.looseObject({}).parse(JSON.parse(readFileSync(SCHEMA, "utf8")));
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const { code } of of("docs/kubernetes.md", "yaml")) {
      validate(parseYaml(code));
      expect(validate.errors).toBeNull();
    }
  });

  it("Prometheus: the job and the rules are those of the bundled configuration", () => {
    const Prometheus = z.object({
      rule_files: z.array(z.string()).nonempty(),
      scrape_configs: z.tuple([z.looseObject({ job_name: z.string(), authorization: z.looseObject({}) })]),
    });
    const bundled = Prometheus.parse(parseYaml(readFileSync("deploy/grafana/prometheus.yaml", "utf8")));
    for (const { code } of of("docs/alerts.md", "yaml")) {
      const shown = Prometheus.parse(parseYaml(code));
      expect(shown.scrape_configs[0].job_name).toBe(bundled.scrape_configs[0].job_name);
      expect(Object.keys(shown.scrape_configs[0].authorization)).toEqual(
        Object.keys(bundled.scrape_configs[0].authorization),
      );
    }
  });
});

describe("samples of output", () => {
  it("an entry of the audit log", () => {
    for (const block of of("docs/audit.md", "json")) {
      const hash = "0".repeat(64);
      const entry = JSON.parse(block.code.replaceAll('"…"', JSON.stringify(hash))) as object;
      expect(AuditEntry.parse(entry)).toEqual(entry);
    }
  });

  it("a refused token", () => {
    for (const { code } of of("docs/identity-provider.md", "json")) {
      const { code: name, status } = JSON.parse(code.replace(", …", "")) as { code: string; status: number };
      expect(PROBLEMS[name as keyof typeof PROBLEMS].status).toBe(status);
    }
  });

  it("a page of results of a web search", () => {
    const tool = createToolbox(all.tools).get("web.search");
    for (const block of of("docs/web-search.md", "json"))
      expect(tool?.parseOutput(jsonOf(block) as never)).toEqual(jsonOf(block));
  });

  it("a log line of a service that is refused by NATS", () => {
    const source = ["bus/connect-bus.ts", "access/connect-nats.ts"]
      .map((file) => readFileSync(`packages/shared/src/${file}`, "utf8"))
      .join("\n");
    for (const { code } of of("docs/security.md", "")) {
      const [, message = "", why = ""] = /^(.+?) {2}where="[^"]+" why="(.+?) as /.exec(code) ?? [];
      expect(source).toContain(`"${message}"`);
      expect(source).toContain(why);
    }
  });
});
