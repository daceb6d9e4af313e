export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /**
   * Values by their labels, such as `status="running"`; `""` for a metric without labels. The series of a histogram extend the
   * name: `_bucket`, `_sum` and `_count`.
   */
  readonly values: Iterable<readonly [labels: string, value: number, suffix?: string]>;
};

/** One value without labels. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: "gauge", values: [["", value]] };
}

/** Escapes a label's value. */
export function labelValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** The text format of Prometheus, version 0.0.4. */
export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics.map(renderMetric).join("");
}

function renderMetric({ name, help, type, values }: Metric): string {
  const lines = Array.from(
    values,
    ([labels, value, suffix = ""]) => `${name}${suffix}${labels === "" ? "" : `{${labels}}`} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
