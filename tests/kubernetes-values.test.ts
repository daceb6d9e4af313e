// The schema by which Helm refuses values of the chart: it knows the settings that the services read.
import { readFileSync } from "node:fs";
import path from "node:path";
import { VERSION } from "@planwright/shared/version";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { z } from "zod";
import { withChartSettings } from "../scripts/chart/chart-settings.ts";
import { SCHEMA, VALUES, valuesFile, valuesFiles } from "../scripts/chart/rendered-chart.ts";
import { readYaml, ROOT } from "./support/kubernetes.ts";

const NAMES = await valuesFiles(ROOT);
const Chart = z.object({
  appVersion: z.string(),
  dependencies: z.array(z.object({ name: z.string(), version: z.string(), condition: z.string() })),
});
const schemaText = readFileSync(path.join(ROOT, SCHEMA), "utf8");
const schema: unknown = JSON.parse(schemaText);
const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  z.looseObject({}).parse(schema),
);
const faultsOf = (values: unknown) => {
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

it("accepts the chart's own values and every values file", () => {
  for (const file of [VALUES, ...NAMES.map(valuesFile)]) expect(faultsOf(readYaml(file)), file).toEqual([]);
});

it("knows the settings of each service: otherwise run `npm run chart`", () => {
  expect(schema).toEqual(JSON.parse(withChartSettings(schemaText)));
});

it.each([
  { values: { settings: { planner: { PLANNER_CONCURENCY: 4 } } }, fault: "/settings/planner" },
  { values: { settings: { common: { OPENAI_API_KEY: "sk" } } }, fault: "/settings/common" },
  { values: { settings: { planner: { PLANNER_FALLBACKS: "[]" } } }, fault: "/settings/planner" },
  { values: { executor: { pools: { default: { replica: 2 } } } }, fault: "/executor/pools/default" },
  { values: { executor: { pools: { Shop_1: {} } } }, fault: "/executor/pools" },
  { values: { image: { digest: "latest" } }, fault: "/image/digest" },
  { values: { autoscaling: { source: "cpu" } }, fault: "/autoscaling/source" },
  { values: { nats: { enabled: true, config: { cluster: { replicas: 4 } } } }, fault: "/nats/config" },
])("refuses $values", ({ values, fault }) => {
  expect(faultsOf(values).join("\n")).toContain(fault);
});

it("installs this release, and an exact version of the chart of NATS", () => {
  const { appVersion, dependencies } = Chart.parse(readYaml(path.join(path.dirname(VALUES), "Chart.yaml")));
  expect(appVersion).toBe(VERSION);
  expect(dependencies).toEqual([
    { name: "nats", version: expect.stringMatching(/^\d+\.\d+\.\d+$/), condition: "nats.enabled" },
  ]);
});
