/**
 * `npm run chart`: writes the services' settings into the schema of the chart's values, and records Helm's output for each
 * values file in deploy/kubernetes/values. Requires Helm, with access to the NATS chart.
 */
import { readFile, writeFile } from "node:fs/promises";
import { describeError } from "@planwright/shared/errors";
import { withChartSettings } from "../chart/chart-settings.ts";
import { renderChart, renderedFile, SCHEMA, valuesFiles } from "../chart/rendered-chart.ts";
import { runBin } from "../run-node.ts";

/** @returns 0, or 1 when Helm is missing or refuses the chart. */
export async function chartCommand(): Promise<number> {
  const root = process.cwd();
  await writeFile(SCHEMA, withChartSettings(await readFile(SCHEMA, "utf8")));
  const formatted = await runBin("biome", ["format", "--write", SCHEMA]);
  if (formatted !== 0) return formatted;
  try {
    for (const name of await valuesFiles(root)) {
      await writeFile(renderedFile(name), await renderChart(root, name));
      console.log(renderedFile(name));
    }
  } catch (error) {
    console.error(
      `[chart] ${describeError(error)}\ninstall Helm 3 or newer: https://helm.sh/docs/intro/install`,
    );
    return 1;
  }
  return 0;
}
