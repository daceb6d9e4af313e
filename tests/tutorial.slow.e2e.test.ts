// Follows the tutorial: saves its files, runs its commands, and compares their output with what it shows.
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readDocument } from "./support/documents/read-documents.ts";
import { missingLine, runShell, type ShownCommand, shownCommands } from "./support/documents/run-console.ts";
import { offlineSystem } from "./support/shared-system.ts";

const TUTORIAL = "docs/tutorial.md";
const CLI = path.resolve("packages/cli/bin/planwright.mjs");
/** The exit code for a plan that is waiting for approval when the output is not a terminal. */
const NEEDS_APPROVAL = 7;

const LOOKS_MAX = 50;
const ONLY_LOOKS = /^(npx planwright (show|tools|doctor|watch)\b|cat )/;

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-tutorial-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
// Its tools read the environment of their process.
const shared = offlineSystem({
  alone: ["executor"],
  services: { executor: { PLANWRIGHT_TOOLS: path.join(folder, "tools") } },
});
const { blocks } = readDocument(TUTORIAL, readFileSync(TUTORIAL, "utf8"));
// Before the executor reads it.
await mkdir(path.join(folder, "tools"));

beforeAll(async () => {
  const bin = path.join(folder, "bin");
  await mkdir(bin);
  await symlink(shared.system.data, path.join(folder, ".planwright"));
  // In a clone, npx finds the command in node_modules; in this folder it does not.
  await writeFile(path.join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  await chmod(path.join(bin, "npx"), 0o755);
});

it("works as written, from the first question to the fork", async () => {
  const env = {
    ...process.env,
    PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
    PLANWRIGHT_URL: shared.system.url,
    NO_COLOR: "1",
  };
  const outcomeOf = async ({ command, shown }: ShownCommand) => {
    const { code, said } = await runShell(command, { cwd: folder, env });
    const missing = missingLine(said, shown);
    const ends = code === 0 || code === NEEDS_APPROVAL;
    return { command, said: missing === undefined && ends ? "as shown" : said, missing };
  };
  // Commands that only read may be repeated: readers are slower than this test.
  const outcomeInTheEnd = async (shown: ShownCommand) => {
    let outcome = await outcomeOf(shown);
    for (let look = 1; look < LOOKS_MAX && outcome.missing !== undefined; look++) {
      if (!ONLY_LOOKS.test(shown.command)) break;
      outcome = await outcomeOf(shown);
    }
    return outcome;
  };
  let commands = 0;
  for (const block of blocks) {
    if (block.title !== "") await writeFile(path.join(folder, block.title), block.code);
    if (block.language !== "console") continue;
    for (const shown of shownCommands(block)) {
      commands += 1;
      expect(await outcomeInTheEnd(shown)).toEqual({
        command: shown.command,
        said: "as shown",
        missing: undefined,
      });
    }
  }
  expect(commands).toBeGreaterThan(12);
});
