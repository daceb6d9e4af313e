// Bundles a small repository in a separate folder with the real bundler, and runs it with the real Node.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundleServices, markUsed } from "../src/bundle/index.ts";

const SERVICE = `
import { Worker } from "node:worker_threads";
import { word } from "./word.ts";
const thread = new Worker(new URL("./thread.ts", import.meta.url));
thread.on("message", (said) => console.log(word, said, import.meta.dirname));
`;
const THREAD = `
import { parentPort } from "node:worker_threads";
import { word } from "./word.ts";
parentPort?.postMessage(\`thread: \${word}\`);
`;

async function repository() {
  const root = await mkdtemp(path.join(os.tmpdir(), "planwright-bundle-"));
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  };
  await write("pnpm-lock.yaml", "lockfileVersion: '9.0'");
  await write("services/talker/src/main.ts", SERVICE);
  await write("services/talker/src/thread.ts", THREAD);
  await write("services/talker/src/word.ts", 'export const word: string = "first";');
  return { root, write, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

const bundle = (root: string) => bundleServices({ root, entries: { talker: "services/talker/src/main.ts" } });

async function rebundle({ root, write }: Awaited<ReturnType<typeof repository>>, word: string) {
  await write("services/talker/src/word.ts", `export const word: string = "${word}";`);
  return bundle(root);
}

async function run(folder: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, [path.join(folder, "talker.js")])).stdout.trim();
}

it("runs a service and its thread from a few files, as if they were in their original place", async () => {
  await using repo = await repository();
  const folder = await bundle(repo.root);
  expect(await run(folder)).toBe(`first thread: first ${path.join(repo.root, "services/talker/src")}`);
  expect(path.relative(repo.root, folder)).toMatch(/^node_modules/);
});

it("keeps characters beyond ASCII in texts, templates and patterns, but escapes them", async () => {
  await using repo = await repository();
  const wide = [
    'export const word = ["é \\\\é \\é 😀", `„${1}“`, "a—b".split(/[–—]/).length,',
    '  /^[😀-😎]$/u.test("😃"), /[\\–]/.test("–"), { größe: 1 }.größe].join(" ");',
  ].join("\n");
  await repo.write("services/talker/src/word.ts", wide);
  const folder = await bundle(repo.root);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  expect(texts.join("")).toMatch(/^[\0-\x7f]*$/);
  expect(await run(folder)).toMatch(/^é \\é é 😀 „1“ 2 true true 1 thread: é/);

  await repo.write("services/talker/src/word.ts", "export const word = String.raw`é`;");
  expect(await run(await bundle(repo.root))).toMatch(/^é thread: é/);
});

it("finds an existing bundle again, but never after a change", async () => {
  await using repo = await repository();
  const first = await bundle(repo.root);
  expect(await bundle(repo.root)).toBe(first);
  expect(await bundle(`${repo.root}${path.sep}`)).toBe(first);
  await repo.write("services/talker/src/word.test.ts", "a test is no part of a service");
  expect(await bundle(repo.root)).toBe(first);

  const second = await rebundle(repo, "other");
  expect(await run(second)).toMatch(/^other thread: other/);

  await repo.write("pnpm-lock.yaml", "lockfileVersion: '10.0'");
  expect([first, second]).not.toContain(await bundle(repo.root));
});

it("keeps the bundler out of the process that requests a bundle", async () => {
  await using repo = await repository();
  // Started like the launcher, so that nothing else has loaded the bundler before.
  const bundling = path.resolve(import.meta.dirname, "../src/bundle/index.ts");
  const script = `
    import { bundleServices } from ${JSON.stringify(bundling)};
    const folder = await bundleServices({ root: ${JSON.stringify(repo.root)}, entries: { talker: "services/talker/src/main.ts" } });
    const native = process.report.getReport().sharedObjects.filter((name) => name.includes("rolldown"));
    console.log(JSON.stringify({ folder, native }));`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { folder, native } = JSON.parse(stdout) as { folder: string; native: string[] };
  expect(native).toEqual([]);
  expect(await run(folder)).toMatch(/^first thread: first/);
});

it("removes bundles that were not used for a day", async () => {
  await using repo = await repository();
  const [old, used] = [await bundle(repo.root), await rebundle(repo, "second")];
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1_000);
  for (const folder of [old, used]) await utimes(folder, longAgo, longAgo);
  await markUsed(used);
  const now = await rebundle(repo, "third");
  const kept = [used, now].map((folder) => path.basename(folder));
  expect(new Set(await readdir(path.dirname(now)))).toEqual(new Set(kept));
});

it("bundles a copy again, because paths are part of the bundle", async () => {
  await using repo = await repository();
  await using copy = await repository();
  await bundle(repo.root);
  await cp(repo.root, copy.root, { recursive: true });
  expect(await run(await bundle(copy.root))).toContain(copy.root);
});

it("leaves no partial bundle when several processes bundle simultaneously, or the sources are broken", async () => {
  await using repo = await repository();
  const folders = await Promise.all([bundle(repo.root), bundle(repo.root), bundle(repo.root)]);
  expect(new Set(folders).size).toBe(1);
  await repo.write("services/talker/src/word.ts", "export const = nothing;");
  await expect(bundle(repo.root)).rejects.toThrow("word.ts");
  expect(await readdir(path.dirname(folders[0] ?? ""))).toEqual([path.basename(folders[0] ?? "")]);
});
