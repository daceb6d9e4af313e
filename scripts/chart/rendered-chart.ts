/** The chart as rendered by Helm, recorded so that tests can read it where Helm is not installed. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const KUBERNETES = "deploy/kubernetes";
const CHART = path.join(KUBERNETES, "planwright");
/** Downloaded by Helm: the NATS chart. */
const DEPENDENCIES = "charts";
export const SCHEMA = path.join(CHART, "values.schema.json");
export const VALUES = path.join(CHART, "values.yaml");

/** The values files that the chart is rendered with, by name. */
export async function valuesFiles(root: string): Promise<string[]> {
  const files = await readdir(path.join(root, KUBERNETES, "values"));
  return files.filter((file) => file.endsWith(".yaml")).toSorted();
}

export function valuesFile(name: string): string {
  return path.join(KUBERNETES, "values", name);
}

/** The file that records the manifests of a values file. */
export function renderedFile(name: string): string {
  return path.join(KUBERNETES, "rendered", name);
}

/**
 * A digest of all inputs of a values file's manifests: a recording with a different digest is stale.
 *
 * @returns `sha256:` and hexadecimal digits.
 */
export async function sourceDigest(root: string, name: string): Promise<string> {
  const chart = await readdir(path.join(root, CHART), { recursive: true, withFileTypes: true });
  const files = chart
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.startsWith(`${CHART}/${DEPENDENCIES}/`));
  const hash = createHash("sha256");
  for (const file of [...files, valuesFile(name)].toSorted()) {
    hash.update(`${file}\0`);
    hash.update(await readFile(path.join(root, file)));
    hash.update("\0");
  }
  return `sha256:${hash.digest("hex")}`;
}

/**
 * Renders the chart with `helm template`, without the manifests of the third-party NATS chart.
 *
 * @throws {Error} When Helm is not installed or refuses the chart or the values.
 */
export async function renderChart(root: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)("helm", templateArguments(name), {
    cwd: root,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const documents = stdout.split(/^---\n/m).filter((document) => document.trim() !== "");
  const own = documents.filter((document) => !document.includes(`/${DEPENDENCIES}/`));
  const header = `# Rendered by \`npm run chart\` from ${CHART} and ${valuesFile(name)}: do not edit.\n`;
  const lines = own.map((document) => `---\n${document.trim()}\n`);
  return `${header}# ${await sourceDigest(root, name)}\n${lines.join("")}`;
}

/** A values file whose name starts with `upgrade` is rendered as an upgrade: some resources are hooks then. */
export function templateArguments(name: string): string[] {
  const upgrade = name.startsWith("upgrade") ? ["--is-upgrade"] : [];
  const options = ["--namespace", "planwright", "--dependency-update", ...upgrade];
  return ["template", "planwright", CHART, ...options, "--values", valuesFile(name)];
}
