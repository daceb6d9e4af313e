// Builds a small page with the real Vite, in a folder that looks like the dashboard's package.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { buildDashboard } from "../src/supervisor/run-system.ts";

const VITE = path.resolve(import.meta.dirname, "../../dashboard/node_modules/vite");
const { signal } = new AbortController();

async function page() {
  const packageDir = await mkdtemp(path.join(os.tmpdir(), "planwright-dashboard-"));
  await mkdir(path.join(packageDir, "src"));
  await mkdir(path.join(packageDir, "node_modules"));
  await symlink(VITE, path.join(packageDir, "node_modules", "vite"));
  const write = (name: string, text: string) => writeFile(path.join(packageDir, name), text);
  await write("package.json", '{"type":"module"}');
  await write("index.html", '<h1>first</h1><script type="module" src="/src/main.ts"></script>');
  await write("src/main.ts", "document.title = 'a title';");
  return {
    packageDir,
    write,
    built: () => readFile(path.join(packageDir, "dist", "index.html"), "utf8"),
    [Symbol.asyncDispose]: () => rm(packageDir, { recursive: true, force: true }),
  };
}

it("builds when there is no build yet, and again only when a source changes", async () => {
  await using dashboard = await page();
  expect(await buildDashboard({ ...dashboard, signal })).toBe("built");
  expect(await dashboard.built()).toContain("first");
  expect(await buildDashboard({ ...dashboard, signal })).toBe("fresh");

  await dashboard.write("src/main.ts", "document.title = 'another title';");
  expect(await buildDashboard({ ...dashboard, signal })).toBe("built");
  const assets = await readdir(path.join(dashboard.packageDir, "dist", "assets"));
  expect(assets).toHaveLength(1);
});

it("builds for production, whatever environment starts it", async () => {
  await using dashboard = await page();
  await dashboard.write("src/main.ts", "document.title = process.env.NODE_ENV;");
  await buildDashboard({ ...dashboard, signal });
  const assets = path.join(dashboard.packageDir, "dist", "assets");
  const [script = ""] = await readdir(assets);
  expect(await readFile(path.join(assets, script), "utf8")).toContain("production");
});

it("keeps the last good build when a new one fails, and reports why it failed", async () => {
  await using dashboard = await page();
  await buildDashboard({ ...dashboard, signal });
  await dashboard.write("src/main.ts", "import './nowhere.ts';");
  await expect(buildDashboard({ ...dashboard, signal })).rejects.toThrow("./nowhere.ts");
  expect(await dashboard.built()).toContain("first");
});

it("does nothing when there are no page sources", async () => {
  await using dashboard = await page();
  await rm(path.join(dashboard.packageDir, "index.html"));
  expect(await buildDashboard({ ...dashboard, signal })).toBe("absent");
});

it("abandons a build that was cancelled before it began, without an unhandled error", async () => {
  await using dashboard = await page();
  const calledOff = { ...dashboard, signal: AbortSignal.abort(new Error("called off")) };
  await expect(buildDashboard(calledOff)).rejects.toThrow();
  await setImmediate();
  expect(await buildDashboard({ ...dashboard, signal })).toBe("built");
});
