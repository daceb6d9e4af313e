export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Values by their labels, such as `status="running"`; `""` for a metric without labels. */
  readonly values: Iterable<readonly [labels: string, value: number]>;
};

/** The text format of Prometheus, version 0.0.4. */
export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics.map(renderMetric).join("");
}

function renderMetric({ name, help, type, values }: Metric): string {
  const lines = Array.from(
    values,
    ([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
