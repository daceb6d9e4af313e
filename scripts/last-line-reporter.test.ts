// The reporter inside a real vitest run over small files in a temporary folder.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const PASSES = 'import { it } from "vitest"; it("a", () => {}); it("b", () => {});';
const FAILS =
  'import { it } from "vitest"; it("c", () => { throw new Error("no"); }); it.skip("d", () => {});';
const DOES_NOT_LOAD = 'import "./nowhere.ts";';

async function lastLineOf(files: readonly string[]): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-reporter-"));
  try {
    await mkdir(path.join(folder, "node_modules"));
    await symlink(path.join(ROOT, "node_modules", "vitest"), path.join(folder, "node_modules", "vitest"));
    for (const [index, text] of files.entries()) await writeFile(path.join(folder, `${index}.test.ts`), text);
    const reporter = path.join(ROOT, "scripts", "last-line-reporter.ts");
    const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, "run", "--root", folder, "--reporter=default", `--reporter=${reporter}`];
    const { stdout } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    return stdout.trimEnd().split("\n").at(-1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it.each([
  { files: [PASSES], line: "2 passed, 0 failed" },
  { files: [PASSES, FAILS], line: "2 passed, 1 failed, 1 skipped" },
  { files: [PASSES, DOES_NOT_LOAD], line: "2 passed, 1 failed" },
  { files: [], line: "0 passed, 0 failed" },
])("ends a run with $line", async ({ files, line }) => {
  expect(await lastLineOf(files)).toBe(line);
});
