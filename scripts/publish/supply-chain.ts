/** The third-party contents of a release: a list of them, and their known vulnerabilities. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describeError } from "@planwright/shared/errors";
import { z } from "zod";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const Manifest = z.object({ packageManager: z.string().regex(/^pnpm@/) });
const Audit = z.object({
  advisories: z.record(
    z.string(),
    z.looseObject({ module_name: z.string(), severity: z.string(), title: z.string(), url: z.string() }),
  ),
});
/** Less severe ones wait for the next dependency update. */
const STOPS_RELEASE: ReadonlySet<string> = new Set(["high", "critical"]);

/**
 * Writes a software bill of materials (CycloneDX, JSON) of everything that is installed with the lockfile.
 *
 * @returns Its file.
 */
export async function writeBillOfMaterials(
  root: string,
  { version, into }: { readonly version: string; readonly into: string },
): Promise<string> {
  const file = path.join(into, `planwright-${version}.cdx.json`);
  const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"];
  await pnpm(root, ["sbom", "--lockfile-only", ...format, "--out", file]);
  return file;
}

/**
 * Queries the registry for advisories about the dependencies that are installed with a release.
 *
 * @returns Advisories of high or critical severity, or the failure to reach the registry.
 */
export async function auditFaults(root: string): Promise<string[]> {
  // If there are advisories, pnpm exits with an error code but still prints its report.
  const asked = await pnpm(root, ["audit", "--prod", "--json"]).catch((error: unknown) => error);
  const output = asked instanceof Error && "stdout" in asked ? asked.stdout : asked;
  const report = Audit.safeParse(parseJson(output)).data;
  if (report === undefined) {
    const why = asked instanceof Error ? describeError(asked) : "its report cannot be read";
    return [`the registry does not report the vulnerabilities of the dependencies: ${why}`];
  }
  return Object.values(report.advisories)
    .filter(({ severity }) => STOPS_RELEASE.has(severity))
    .map(
      ({ module_name: name, severity, title, url }) => `${name}: ${severity}, ${title} (${url}): update it`,
    );
}

async function pnpm(root: string, args: readonly string[]): Promise<string> {
  const manifest = Manifest.parse(parseJson(await readFile(path.join(root, "package.json"), "utf8")));
  const command = [
    "exec",
    "--yes",
    `--package=${manifest.packageManager}`,
    "--",
    "pnpm",
    "--dir",
    root,
    ...args,
  ];
  // npm runs here, so that it fetches pnpm regardless of the registry in the settings at `root`.
  const { stdout } = await run("npm", command, { cwd: import.meta.dirname, maxBuffer: OUTPUT_BYTES_MAX });
  return stdout;
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
