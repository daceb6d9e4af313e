// The installation before anything runs, in a separate small workspace with the real npm and pnpm: whatever happened to
// an earlier one, the same command continues.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, glob, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = path.dirname(import.meta.dirname);
const run = promisify(execFile);
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-set up-ä-"));
const cache = path.join(folder, ".npm-cache");
const env = { ...process.env, npm_config_cache: cache, npm_execpath: "" };

beforeAll(async () => {
  const { packageManager, optionalDependencies } = JSON.parse(
    await readFile(path.join(ROOT, "package.json"), "utf8"),
  ) as { packageManager: string; optionalDependencies: Record<string, string> };
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "small", private: true, type: "module", packageManager, optionalDependencies }),
  );
  await writeFile(path.join(folder, "pnpm-workspace.yaml"), "packages: []\n");
  await mkdir(path.join(folder, "scripts"));
  await cp(path.join(ROOT, "scripts/up.mjs"), path.join(folder, "scripts/up.mjs"));
  await cp(path.join(ROOT, "scripts/setup"), path.join(folder, "scripts/setup"), { recursive: true });
  await writeFile(path.join(folder, "scripts/main.ts"), 'console.log("ran", process.argv[2] as string);\n');
  const lock = ["exec", "--yes", `--package=${packageManager}`, "--", "pnpm", "install", "--lockfile-only"];
  await run("npm", lock, { cwd: folder, env });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function up() {
  const child = spawn(process.execPath, [path.join(folder, "scripts/up.mjs"), "it"], {
    env,
    cwd: os.tmpdir(),
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const ended = once(child, "close");
  return {
    child,
    printed: () => printed,
    async end() {
      await ended;
      return { code: child.exitCode, printed };
    },
  };
}

const forget = () => rm(path.join(folder, "node_modules"), { recursive: true, force: true });

it("installs once, and not again", async () => {
  const first = await up().end();
  expect(first).toMatchObject({ code: 0, printed: expect.stringContaining("[setup] installed in") });
  expect(first.printed).toContain("ran it");
  expect(await up().end()).toEqual({ code: 0, printed: "ran it\n" });
});

it("continues an installation that was interrupted", async () => {
  await forget();
  const interrupted = up();
  await expect.poll(interrupted.printed).toContain("installing with");
  interrupted.child.kill("SIGINT");
  expect(await interrupted.end()).toMatchObject({
    code: 130,
    printed: expect.stringContaining("run the same command again to continue"),
  });
  expect(await up().end()).toMatchObject({ code: 0, printed: expect.stringContaining("ran it") });
});

it("waits for another installation in the same folder, and then has nothing to install", async () => {
  await forget();
  const both = [up(), up()];
  const [one, other] = (await Promise.all(both.map((each) => each.end()))).map(({ code, printed }) => {
    expect(code).toBe(0);
    expect(printed).toContain("ran it");
    return printed.includes("[setup] installed");
  });
  expect(one).not.toBe(other);
});

it.each([1_000_000, 0])("replaces a pnpm of which npm's cache has %i bytes", async (bytes) => {
  await forget();
  for await (const file of glob("_npx/*/node_modules/pnpm/pnpm", { cwd: cache })) {
    await truncate(path.join(cache, file), bytes);
  }
  expect(await up().end()).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/pnpm in npm's cache is damaged[^]*installed in[^]*ran it/),
  });
});
