import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { externalScripts } from "./external-scripts.ts";

const PAGE = `<head><script type="module" src="/docs/guide/assets/app.js"></script>
<script id="check-dark-mode">document.documentElement.classList.add("dark")</script></head>`;

it("moves inline scripts into files that the pages share, and leaves other scripts unchanged", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-scripts-"));
  const scripts = externalScripts({ base: "/docs/guide/" });
  const pages = [scripts.transformHtml(PAGE), scripts.transformHtml(PAGE)];
  await scripts.write(folder);
  const [name = "", ...others] = await readdir(path.join(folder, "assets"));

  expect(others).toEqual([]);
  expect(await readFile(path.join(folder, "assets", name), "utf8")).toContain('classList.add("dark")');
  const moved = `<script id="check-dark-mode" src="/docs/guide/assets/${name}"></script>`;
  const [first = "", second] = pages;
  expect(first).toBe(PAGE.replace(/<script id="check-dark-mode">.*<\/script>/, moved));
  expect(second).toBe(first);
  await rm(folder, { recursive: true });
});

it("names a script after its content", () => {
  const scripts = externalScripts({ base: "/" });
  const first = scripts.transformHtml("<script>a</script>");
  expect(scripts.transformHtml("<script>b</script>")).not.toBe(first);
  expect(scripts.transformHtml("<script>a</script>")).toBe(first);
});
