// The reporter in a real vitest run over small files in a temporary folder.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { STARTS_MAX, TEST_RUN_STARTS } from "../packages/testkit/src/run/test-run.ts";
import { SLOW_FILES_LEFT_OUT } from "./commands/test.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PASSES = 'import { it } from "vitest"; it("a", () => {}); it("b", () => {});';
const FAILS =
  'import { it } from "vitest"; it("c", () => { throw new Error("no"); }); it.skip("d", () => {});';
const DOES_NOT_LOAD = 'import "./nowhere.ts";';

async function runOf(files: readonly string[], starts = "", given: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-reporter-"));
  try {
    await mkdir(path.join(folder, "node_modules"));
    await symlink(path.join(ROOT, "node_modules", "vitest"), path.join(folder, "node_modules", "vitest"));
    for (const [index, text] of files.entries()) await writeFile(path.join(folder, `${index}.test.ts`), text);
    const reporter = path.join(ROOT, "scripts", "last-line-reporter.ts");
    const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, "run", "--root", folder, "--reporter=default", `--reporter=${reporter}`];
    const noted = path.join(folder, "starts");
    await writeFile(noted, starts);
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", [TEST_RUN_STARTS]: noted, ...given },
    });
    const lines = stdout.trimEnd().split("\n");
    return { last: lines.at(-1), lines, stderr, status };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it.each([
  { files: [PASSES], line: "2 passed, 0 failed" },
  { files: [PASSES, FAILS], line: "2 passed, 1 failed, 1 skipped" },
  { files: [PASSES, DOES_NOT_LOAD], line: "2 passed, 1 failed" },
  { files: [], line: "0 passed, 0 failed" },
])("ends a run with $line, after the number of slow files that it omitted", async ({ files, line }) => {
  // A run within the limit does not fail.
  const starts = "whole system\n".repeat(STARTS_MAX["whole system"] ?? 0);
  const { lines } = await runOf(files, starts, { [SLOW_FILES_LEFT_OUT]: "7" });
  expect(lines.slice(-2)).toEqual(["7 slow files left out: npm test -- --all runs them", line]);
});

it("fails a run that started more whole systems than allowed, and reports how many", async () => {
  const excess = (STARTS_MAX["whole system"] ?? 0) + 1;
  const { last, lines, stderr, status } = await runOf([PASSES], "whole system\n".repeat(excess));
  expect({ last, status }).toEqual({ last: "2 passed, 1 failed", status: 1 });
  expect(lines).toContain(`started: ${excess} whole systems`);
  expect(stderr).toContain(`the run started ${excess} whole systems, more than the ${excess - 1} it may`);
});
