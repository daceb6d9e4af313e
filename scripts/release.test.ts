import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { VERSION } from "@planwright/shared/version";
import { afterAll, expect, it } from "vitest";
import { releaseFaults } from "./commands/release.ts";
import { publishedManifest } from "./publish/pack-package.ts";
import { PUBLISHED } from "./publish/published-packages.ts";

const ROOT = path.dirname(import.meta.dirname);
const run = promisify(execFile);
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-release-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: folder });
const write = (file: string, text: string) => writeFile(path.join(folder, file), text);

it("lists everything that a release lacks, and nothing once it exists", async () => {
  await git("init", "-q");
  await write("package.json", JSON.stringify({ version: "9.9.9" }));
  await write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n");
  expect(await releaseFaults(folder)).toEqual([
    expect.stringContaining("the work tree has changes"),
    expect.stringContaining("9.9.9"),
    expect.stringContaining("`repository`"),
    expect.stringContaining(`"## ${VERSION}"`),
  ]);
  await write(
    "package.json",
    JSON.stringify({ version: VERSION, repository: "https://example.org/planwright" }),
  );
  await write("CHANGELOG.md", `# Changelog\n\n## ${VERSION}\n`);
  await git("add", "-A");
  await git("commit", "-qm", "release");
  expect(await releaseFaults(folder)).toEqual([]);
});

it.each(PUBLISHED)("publishes $name with its licence, entries and public dependencies only", async (one) => {
  const manifest = await publishedManifest(one, { root: ROOT, dist: path.join(folder, "nothing-built") });
  expect(manifest).toMatchObject({
    name: one.name,
    version: VERSION,
    license: "Apache-2.0",
    description: expect.any(String),
    engines: { node: ">=20" },
    files: expect.arrayContaining(["dist"]),
    publishConfig: { access: "public", provenance: true },
  });
  const names = new Set(PUBLISHED.map(({ name }) => name));
  const { dependencies } = manifest as { dependencies: Record<string, string> };
  const ours = Object.keys(dependencies).filter((name) => name.startsWith("@planwright/"));
  expect(ours.filter((name) => !names.has(name))).toEqual([]);
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|\.\/src\/|"private"|devDependencies/);
});
