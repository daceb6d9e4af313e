// The alerts that come with the system: each is valid, asks for what a running gateway exports, and is explained.
import { parser } from "@prometheus-io/lezer-promql";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { offlineSystem } from "./support/shared-system.ts";

const Rule = z.strictObject({
  alert: z.string().regex(/^Planwright[A-Z]\w+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smhd]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
  annotations: z.strictObject({ summary: z.string().min(10), runbook: z.string() }),
});
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule).min(1) })).min(1),
});

const { groups } = Rules.parse(
  parse(readFileSync("deploy/prometheus/rules.yml", "utf8"), { uniqueKeys: true }),
);
const rules = groups.flatMap((group) => group.rules);
const alerts = readFileSync("docs/alerts.md", "utf8");

const shared = offlineSystem();
let exported: ReadonlyMap<string, { readonly type: string; readonly labels: readonly string[] }>;
beforeAll(async () => {
  const text = await (await shared.system.client.fetch("/metrics")).text();
  const labels = labelsByMetric();
  exported = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\w+)$/gm), ([, name = "", type = ""]) => [
      name,
      { type, labels: labels.get(name) ?? [] },
    ]),
  );
});

/** As the reference has them, which is generated from a running system. */
function labelsByMetric(): ReadonlyMap<string, readonly string[]> {
  const reference = readFileSync("docs/reference/metrics.md", "utf8");
  return new Map(
    Array.from(reference.matchAll(/^\| `(\w+)` \| \w+ \| ([^|]*) \|/gm), ([, name = "", labels = ""]) => [
      name,
      Array.from(labels.matchAll(/`(\w+)`/g), ([, label = ""]) => label),
    ]),
  );
}

/** Added by Prometheus. */
const OWN_METRICS = new Set(["up"]);
const OWN_LABELS = new Set(["instance", "job"]);

/** The metrics, and the labels by which they are selected or grouped; and where Prometheus' grammar does not hold. */
function read(expr: string) {
  const metrics: string[] = [];
  const labels: string[] = [];
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, from, to }) {
      const text = expr.slice(from, to);
      if (type.isError) faults.push(expr.slice(Math.max(0, from - 10), to + 10));
      else if (type.name === "Identifier") metrics.push(text);
      else if (type.name === "LabelName") labels.push(text);
    },
  });
  return { metrics, labels, faults };
}

/** A histogram is exported as several series. */
function metricOf(series: string) {
  const known = exported.get(series);
  if (known !== undefined) return known;
  const histogram = exported.get(series.replace(/_(?:bucket|count|sum)$/, ""));
  return histogram?.type === "histogram" ? histogram : undefined;
}

it("have unique names", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

describe.each(rules)("$alert", ({ alert, expr, annotations }) => {
  it("is an expression that Prometheus understands", () => expect(read(expr).faults).toEqual([]));

  it("query metrics and labels that a gateway exports", () => {
    const { metrics, labels } = read(expr);
    expect(metrics.length).toBeGreaterThan(0);
    const known = metrics
      .filter((name) => !OWN_METRICS.has(name))
      .map((name) => [name, metricOf(name)] as const);
    expect(known.filter(([, metric]) => metric === undefined).map(([name]) => name)).toEqual([]);
    const exportedLabels = new Set(known.flatMap(([, metric]) => metric?.labels ?? []));
    expect(labels.filter((label) => !OWN_LABELS.has(label) && !exportedLabels.has(label))).toEqual([]);
  });

  it("has a section that explains its meaning and what to do", () => {
    expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    const [, section = ""] = alerts.split(`### ${alert}\n`);
    const [text = ""] = section.split(/^#/m);
    expect(text).toMatch(/\*\*Meaning\*\*: \S[\s\S]*\*\*Do\*\*: \S/);
  });
});

it("are all the alerts that the page explains", () => {
  const explained = Array.from(alerts.matchAll(/^### (\w+)$/gm), ([, name = ""]) => name);
  expect(new Set(explained)).toEqual(new Set(rules.map(({ alert }) => alert)));
});

it("are loaded by the Prometheus of Compose", () => {
  const settings = z.object({ rule_files: z.array(z.string()) });
  const config = settings.parse(parse(readFileSync("deploy/grafana/prometheus.yaml", "utf8")));
  expect(config.rule_files).toEqual(["/etc/planwright/rules.yml"]);
  expect(readFileSync("docker-compose.yml", "utf8")).toContain("deploy/prometheus/rules.yml");
});
