// TypeScript that the documents show and that needs no system: compiled, then run.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksRunBy, placeOf } from "./support/documents/block-runners.ts";

const run = promisify(execFile);
const PACKAGES = ["tools-kit", "shared"];
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-code-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A block's first line is a comment with the name of its file. */
const programs = blocksRunBy("tests/docs-code.test.ts").map((block, index) => ({
  place: placeOf(block),
  file: `${index}-${path.basename(/^\/\/ (\S+)\n/.exec(block.code)?.[1] ?? "missing")}`,
  code: block.code,
}));
const fileOf = (name: string) =>
  programs.filter(({ file }) => file.endsWith(`-${name}`)).map(({ file }) => file);

beforeAll(async () => {
  await mkdir(path.join(folder, "node_modules/@planwright"), { recursive: true });
  await symlink(path.resolve("node_modules/@types"), path.join(folder, "node_modules/@types"));
  for (const name of PACKAGES)
    await symlink(path.resolve("packages", name), path.join(folder, "node_modules/@planwright", name));
  for (const { file, code } of programs) await writeFile(path.join(folder, file), code);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
});

it("defines tools that compile under the repository's settings", async () => {
  // The prompt is only run: its types are those of the whole model client, which take a quarter of a minute.
  const config = {
    extends: path.resolve("tsconfig.json"),
    include: ["*weather.ts"],
    compilerOptions: { noEmit: true, types: ["node"] },
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = path.resolve("node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["-p", folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

it("defines a tool that returns the temperature, and fails in a way that is retried", async () => {
  const tools = fileOf("weather.ts");
  expect(tools).toHaveLength(2);
  for (const file of tools) {
    const printed = await printedBy(`
      import tool from "./${file}";
      globalThis.fetch = async (url) => new Response("21.5", { status: String(url).endsWith("/Oslo") ? 200 : 503 });
      const context = { signal: new AbortController().signal };
      console.log(JSON.stringify(await tool.run({ city: "Oslo" }, context)));
      await tool.run({ city: "Nowhere" }, context).catch((error) => console.log(error.name, error.message));
    `);
    expect(printed).toBe('{"celsius":21.5}\nTransientError the weather server answers 503\n');
  }
});

it("defines a prompt whose blocks hold the input", async () => {
  const printed = await printedBy(`
    import { writePrompt } from "./${fileOf("write-prompt.ts").join()}";
    const { prompt, messages } = writePrompt.render({ task: "Write.", material: "a < b" });
    console.log(prompt.name, prompt.version, messages.map(({ role }) => role).join());
    console.log(messages[1].content);
  `);
  expect(printed).toMatch(/^executor\.write 1 system,user\n<task>\nWrite\.\n<\/task>\n<context>\n/);
});

async function printedBy(program: string): Promise<string> {
  const file = path.join(folder, "main.mjs");
  await writeFile(file, program);
  const { stdout } = await run(process.execPath, [file]);
  return stdout;
}
