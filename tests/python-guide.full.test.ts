// docs/guides/python.md: its script, saved and run by python3 as the guide says, against a whole system.
import { readFileSync } from "node:fs";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readDocument } from "./support/documents/read-documents.ts";
import { missingLine, runShell, shownCommands } from "./support/documents/run-console.ts";
import { sharedSystem } from "./support/shared-system.ts";

const GUIDE = "docs/guides/python.md";
const shared = sharedSystem();
const { blocks } = readDocument(GUIDE, readFileSync(GUIDE, "utf8"));
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-python-"));
  for (const { title, code } of blocks)
    if (title !== "") await appendFile(path.join(folder, title), `${code}\n\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("prints what the guide shows: events, an approval, the answer and a refusal", async () => {
  const shown = blocks.filter(({ language }) => language === "console").flatMap(shownCommands);
  expect(shown.map(({ command }) => command)).toEqual(["python3 ask.py"]);
  const env = { ...process.env, PLANWRIGHT_URL: shared.system.url, PYTHONDONTWRITEBYTECODE: "1" };
  for (const { command, shown: lines } of shown) {
    const { code, said } = await runShell(command, { cwd: folder, env });
    expect({ said, missing: missingLine(said, lines), code }).toEqual({
      said,
      missing: undefined,
      code: 0,
    });
  }
});

it("needs no package but Python's own library", () => {
  const imports = blocks
    .filter(({ language }) => language === "python")
    .flatMap(({ code }) => [...code.matchAll(/^(?:import|from) (\S+)/gm)].map(([, name]) => name));
  expect(imports).toEqual(["json", "os", "time", "urllib.error", "urllib.request"]);
});
