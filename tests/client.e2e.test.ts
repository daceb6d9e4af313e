// The examples of the client's documents, run as a reader runs them: as programs, against a whole system.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "./support/documents/read-documents.ts";
import { sharedSystem } from "./support/shared-system.ts";

const run = promisify(execFile);
const BASE_URL = /"http:\/\/127\.0\.0\.1:8080"/g;
const PROGRAM_MS_MAX = 60_000;

const shared = sharedSystem();
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-client-"));
  await mkdir(path.join(folder, "node_modules/@planwright"), { recursive: true });
  await symlink(path.resolve("packages/client"), path.join(folder, "node_modules/@planwright/client"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["packages/client/README.md", "docs/guides/client.md"])("%s", (file) => {
  const { blocks } = readDocument(file, readFileSync(file, "utf8"));
  const programs = blocks.filter(({ language }) => language === "ts");
  const setUp = programs.find(({ title }) => title === "setup")?.code ?? "";
  const examples = programs.filter(({ title }) => title !== "setup");

  it("has a set-up and examples", () => {
    expect(setUp).toMatch(BASE_URL);
    expect(examples.length).toBeGreaterThanOrEqual(file.startsWith("packages/") ? 10 : 1);
  });

  it.each(examples.map(({ code }, index) => ({ number: index + 1, code })))(
    "prints what example $number shows",
    async ({ number, code }) => {
      const program = path.join(folder, `${path.basename(file, ".md")}-${number}.mts`);
      const url = JSON.stringify(shared.system.url);
      await writeFile(program, `${setUp}\n${code}`.replaceAll(BASE_URL, url));
      const { stdout } = await run(process.execPath, [program], { timeout: PROGRAM_MS_MAX });
      const shown = Array.from(code.matchAll(/\/\/ → (.+)$/gm), ([, line]) => line);
      expect(shown.length).toBeGreaterThan(0);
      expect(stdout.trimEnd().split("\n")).toEqual(shown);
    },
  );
});
