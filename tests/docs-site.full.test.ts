// The docs site as it is built, served by the gateway and opened in a browser, under the gateway's content security policy.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readSidebar } from "../packages/docs-site/src/sidebar.ts";
import { buildSite } from "../scripts/docs/build-site.ts";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";

const DIST = "packages/docs-site/dist";
const BASE = "/docs/guide/";
const BUILD_MS_MAX = 300_000;
const PHONE = { width: 390, height: 844 };
const SCREEN = { width: 1440, height: 900 };

/** To a page of the site, or to a heading of the same page. */
const LINK = /<a [^>]*?href="(\/docs\/guide\/[^"]*|#[^"]+|\.[^"]*)"/g;

const stage = dashboardStage();
const sidebar = readSidebar(readFileSync("docs/README.md", "utf8"));
const pages = sidebar
  .flatMap(({ groups }) => groups.flatMap((group) => group.entries))
  .map(({ page }) => page.replace(/README\.md$/, "").replace(/\.md$/, ".html"));

beforeAll(async () => {
  await buildSite(process.cwd(), new AbortController().signal);
}, BUILD_MS_MAX);

describe("the built site", () => {
  it("has a page for each entry of the sidebar, and links to its own files and headings only", () => {
    const files = new Map(
      globSync("**/*.html", { cwd: DIST }).map((file) => [
        `${BASE}${file.split(path.sep).join("/")}`,
        readFileSync(path.join(DIST, file), "utf8"),
      ]),
    );
    for (const page of pages) expect(files.has(`${BASE}${page}`.replace(/\/$/, "/index.html"))).toBe(true);
    const links = [...files].flatMap(([from, html]) =>
      [...html.matchAll(LINK)].map(([, href = ""]) => ({ from, href: href.replaceAll("&amp;", "&") })),
    );
    expect(links.length).toBeGreaterThan(pages.length * pages.length);
    const broken = links.filter(({ from, href }) => {
      const { pathname, hash } = new URL(href, `http://site${from}`);
      const html = files.get(pathname.replace(/\/$/, "/index.html"));
      const id = decodeURIComponent(hash.slice(1));
      return html === undefined || (id !== "" && !html.includes(` id="${id}"`));
    });
    expect(broken).toEqual([]);
  });

  it("has no inline script and no address of another host to load from", () => {
    for (const file of globSync("**/*.html", { cwd: DIST })) {
      const html = readFileSync(path.join(DIST, file), "utf8");
      expect(html, file).not.toMatch(/<script(?![^>]*\bsrc=)/);
      expect(html, file).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//);
    }
  });
});

it.each([
  ["a screen", SCREEN],
  ["a phone", PHONE],
])(
  "shows every page on %s without an error, a foreign request or sideways scrolling",
  async (_, viewport) => {
    const tab = await stage.browser.open(`${stage.system.url}${BASE}`, { viewport });
    const found: string[] = [];
    for (const at of ["", ...pages]) {
      const response = await tab.page.goto(`${stage.system.url}${BASE}${at}`);
      await tab.page.locator("h1").first().waitFor();
      const excess = await tab.page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (response?.status() !== 200 || Number(excess) > 0)
        found.push(`${at}: ${response?.status()}, ${String(excess)}`);
    }
    expect(found).toEqual([]);
    expectWellBehaved(tab);
  },
);

it.each([
  ["a screen", SCREEN],
  ["a phone", PHONE],
])("finds a page by a word on %s, and opens it", async (_, viewport) => {
  const tab = await stage.browser.open(`${stage.system.url}${BASE}`, { viewport });
  await tab.page.getByRole("button", { name: "Search" }).click();
  await tab.page.getByRole("searchbox").or(tab.page.locator(".search-input")).first().fill("compensation");
  await tab.page.locator(".VPLocalSearchBox .result").first().click();
  await tab.page.waitForURL("**/controls.html#compensation");
  await expect.poll(() => tab.page.locator("h1").innerText()).toContain("Controls and timers");
  expectWellBehaved(tab);
});

it.each(["light", "dark"] as const)("is accessible in the %s theme", async (colorScheme) => {
  const tab = await stage.browser.open(`${stage.system.url}${BASE}`, { viewport: SCREEN, colorScheme });
  for (const at of ["", "plan-lifecycle.html", "troubleshooting.html"]) {
    await tab.page.goto(`${stage.system.url}${BASE}${at}`);
    await tab.page.locator("h1").first().waitFor();
    expect(await axeFindings(tab.page), at).toEqual([]);
  }
});

it("is linked from the dashboard and from the HTTP reference, and leads back to both", async () => {
  const tab = await stage.browser.open(stage.system.url, { viewport: SCREEN });
  // The sidebar has a page of the same name.
  const bar = tab.page.locator(".VPNavBar .gateway-links");
  const isAt = async (pathname: string) => expect.poll(() => new URL(tab.page.url()).pathname).toBe(pathname);
  await tab.page.getByRole("link", { name: "Help" }).click();
  await isAt(BASE);
  await bar.getByRole("link", { name: "HTTP reference" }).click();
  await isAt("/docs");
  await tab.page.getByRole("link", { name: "Documentation" }).click();
  await isAt(BASE);
  await bar.getByRole("link", { name: "Dashboard" }).click();
  await isAt("/");
  expectWellBehaved(tab);
});
