// report.render with the real renderers, in real child processes. The output is read back.
import { PermanentError } from "@planwright/shared/errors";
import { parseHTML } from "linkedom";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, describe, expect, it } from "vitest";
import { createChartRenderer } from "./chart-renderer.ts";
import { createReportRenderer } from "./report-renderer.ts";
import type { Workspace } from "../tools/define-tool.ts";
import { reportRender } from "./report-render.ts";
import { memoryWorkspace, testContext } from "../tools/testing/test-context.ts";

const charts = createChartRenderer();
const reports = createReportRenderer();
afterAll(() => {
  charts[Symbol.dispose]();
  reports[Symbol.dispose]();
});

const tool = reportRender({ charts, reports });
const bars = {
  mark: "bar",
  encoding: { x: { field: "region", type: "nominal" }, y: { field: "revenue", type: "quantitative" } },
};
const rows = [
  { region: "Nord <&>", revenue: 31.5, note: null },
  { region: "Ελλάδα", revenue: 198, note: { audited: true } },
];

async function render(args: object, workspace: Workspace = memoryWorkspace()) {
  const output = Object(await tool.run({ title: "Report", ...args }, testContext({ workspace })));
  const html = output.html === undefined ? "" : await textOf(workspace, output.html.path);
  return { output, html, document: parseHTML(html).document, workspace };
}

async function textOf(workspace: Workspace, path: string): Promise<string> {
  return new TextDecoder().decode(await workspace.read(path));
}

async function pagesOf(workspace: Workspace, path: string): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array((await workspace.read(path)) ?? []));
  return (await extractText(pdf)).text;
}

const MARKDOWN = `# Umsatz Q4

Grüße, *Ελλάδα* und **Привет** aus [Köln](https://koeln.example/?a=1&b=2).

- eins
- zwei
  1. drei

> Zitat

\`\`\`table regions
\`\`\`

## Chart

![Bars](bars)

| a | b |
|---|--:|
| \`x\` | 1 |
`;
const FIGURES = {
  charts: [{ name: "bars", spec: { ...bars, height: 450 }, data: rows, caption: "Revenue of each region" }],
  tables: [{ name: "regions", rows, caption: "All regions" }],
};

describe("report.render", () => {
  it("renders one page and one PDF, with figures where the text places them", async () => {
    const { output, html, document, workspace } = await render({
      title: "Umsatz Q4",
      markdown: MARKDOWN,
      ...FIGURES,
      path: "q4/report",
    });
    expect(output).toMatchObject({
      html: { path: "q4/report.html", artifact: { contentType: "text/html; charset=utf-8" } },
      pdf: { path: "q4/report.pdf", artifact: { contentType: "application/pdf" }, pages: 2 },
    });
    expect(output.warnings).toBeUndefined();
    const shown = [...document.querySelectorAll("h1, h2, p, figcaption, svg, li")].map((element) =>
      element.localName === "svg" ? "svg" : element.textContent.replaceAll(/\s+/g, " ").trim(),
    );
    expect(shown).toEqual([
      "Umsatz Q4",
      "Grüße, Ελλάδα und Привет aus Köln.",
      "eins",
      "zwei drei",
      "drei",
      "Zitat",
      "All regions",
      "Chart",
      "svg",
      "Revenue of each region",
    ]);
    const cells = [...document.querySelectorAll("td")].map(
      ({ textContent, className }) => `${textContent}/${className}`,
    );
    expect(cells).toEqual([
      "Nord <&>/",
      "31.5/right",
      "/",
      "Ελλάδα/",
      "198/right",
      '{"audited":true}/',
      "x/",
      "1/right",
    ]);
    expect(document.querySelector("a")?.getAttribute("href")).toBe("https://koeln.example/?a=1&b=2");
    // Hovering over a bar shows its values.
    expect([...document.querySelectorAll("path title")].map(({ textContent }) => textContent)).toContain(
      "region: Ελλάδα; revenue: 198",
    );
    expect(html).not.toMatch(/<script|<link|<img| src=/);
    const pages = await pagesOf(workspace, "q4/report.pdf");
    const page = pages.join("\n");
    for (const words of [
      "Umsatz Q4",
      "Grüße, Ελλάδα und Привет aus Köln.",
      "zwei",
      "Zitat",
      "Ελλάδα 198",
      "All regions",
    ])
      expect(page).toContain(words);
    expect(page.indexOf("All regions")).toBeLessThan(page.indexOf("Revenue of each region"));
    expect(pages.map((text) => text.split("\n").at(-1))).toEqual(["1 / 2", "2 / 2"]);
    // The heading moved to the next page with its chart.
    expect(pages[1]).toMatch(/^Chart\n/);
  });

  it("produces the same bytes for the same arguments", async () => {
    const [first, second] = [
      await render({ markdown: MARKDOWN, ...FIGURES }),
      await render({ markdown: MARKDOWN, ...FIGURES }),
    ];
    expect(first.html).toBe(second.html);
    const bytes = await first.workspace.read("report-s1.pdf");
    expect(bytes?.byteLength).toBeGreaterThan(1_000);
    expect(bytes).toEqual(await second.workspace.read("report-s1.pdf"));
  });

  it("takes charts drawn by another step, and appends those that the text does not name", async () => {
    const workspace = memoryWorkspace();
    const { svg } = await charts.render({ spec: bars, data: rows }, { signal: AbortSignal.timeout(60_000) });
    await workspace.write("charts/prices.svg", new TextEncoder().encode(svg), "image/svg+xml");
    const { document, output } = await render(
      {
        markdown:
          "Before\n\n![Prices](charts/prices.svg)\n\nAfter\n\n```chart nothing\n```\n\n```chart prices\n```",
        charts: [{ file: "charts/prices.svg" }],
        tables: [{ name: "all", rows, columns: { revenue: "In millions", region: "Where" } }],
        formats: ["html"],
      },
      workspace,
    );
    const order = [...document.querySelectorAll("p, svg, th")].map(({ localName, textContent }) =>
      localName === "svg" ? "svg" : textContent,
    );
    expect(order).toEqual(["Before", "svg", "After", "In millions", "Where"]);
    expect(output.warnings).toEqual([
      'there is no chart or table named "nothing"',
      '"prices" is shown only at its first use',
    ]);
    expect(output.pdf).toBeUndefined();
  });

  it("repeats the head of a long table on each page", async () => {
    const many = Array.from({ length: 120 }, (_, n) => ({ city: `City ${n}`, people: n }));
    const { output, workspace } = await render({
      markdown: "",
      tables: [{ name: "cities", rows: many }],
      path: "t.pdf",
    });
    expect(output.html).toBeUndefined();
    const pages = await pagesOf(workspace, "t.pdf");
    expect(pages).toHaveLength(output.pdf.pages);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(page).toContain("city people");
    expect(pages.at(-1)).toContain("City 119 119");
  });

  it.each([
    ["a script", "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>"],
    [
      "links that act",
      "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) [d](data:text/html,<script>1</script>) [e](file:///etc/passwd)",
    ],
    [
      "hidden schemes",
      "[a](java&#10;script:alert(1)) [b](&#x6A;avascript:alert(1)) <javascript:alert(1)> [c](//evil.example) [d](/v1/plans)",
    ],
    ["pictures", "![a](http://169.254.169.254/x.png) ![b](data:image/png;base64,AAAA) ![c](/etc/passwd)"],
    ["a broken-out attribute", '[a](https://a.example/"onmouseover="alert(1)) ![x" onload="alert(1)](y)'],
  ])("reduces %s to plain text", async (_what, markdown) => {
    const { document, html } = await render({
      title: "</title><script>alert(1)</script>",
      markdown,
      formats: ["html"],
    });
    expect(document.querySelectorAll("script, img, iframe, object, form, link").length).toBe(0);
    for (const element of document.querySelectorAll("*")) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^src|^style$/);
    }
    for (const link of document.querySelectorAll("a"))
      expect(link.getAttribute("href")).toMatch(/^https:\/\/a\.example\//);
    expect(html).toContain("default-src &#39;none&#39;");
  });

  it("keeps only drawing elements of an SVG, whatever its origin", async () => {
    const workspace = memoryWorkspace();
    const hostile = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10" onload="alert(1)">
      <script>alert(1)</script><style>@import url(http://evil.example)</style><foreignObject><iframe src="http://evil.example"/></foreignObject>
      <image xlink:href="http://evil.example/x.png" width="5" height="5"/><a xlink:href="javascript:alert(1)"><text>link</text></a>
      <use href="http://evil.example#x"/><rect id="r" width="5" height="5" fill="url(http://evil.example/#p)" style="fill:url(http://evil.example)" onclick="alert(1)"/>
      <animate attributeName="href" to="javascript:alert(1)"/><text>&x;kept</text><rect clip-path="url(#r)" width="1" height="1"/></svg>`;
    await workspace.write("h.svg", new TextEncoder().encode(hostile), "image/svg+xml");
    const { html, document, output } = await render({ markdown: "", charts: [{ file: "h.svg" }] }, workspace);
    expect(html).not.toMatch(/evil\.example|alert|passwd|<script|<style>@|foreignObject|<image|<a |<use/);
    expect(document.querySelector("svg text")?.textContent).toContain("kept");
    expect(html).toContain('clip-path="url(#c0-r)"');
    expect(output.pdf.pages).toBe(1);
  });

  it.each([
    ["quotes without end", ">".repeat(240_000)],
    ["lists without end", "- ".repeat(120_000)],
    ["one word", "a".repeat(60_000)],
    ["brackets", "![".repeat(10_000)],
    ["a table of many columns", `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|x".repeat(1_000)}|`],
  ])("is not kept busy by %s", async (_what, markdown) => {
    const { output } = await render({ markdown });
    expect(output).toMatchObject({ html: { path: "report-s1.html" }, pdf: { path: "report-s1.pdf" } });
  });

  it("reports characters that the PDF cannot show", async () => {
    const { output, html } = await render({ markdown: "漢字 and שלום" });
    expect(html).toContain("漢字 and שלום");
    expect(output.warnings).toEqual([
      "the PDF's font lacks these characters: 漢 字",
      "right-to-left text is written from left to right in the PDF",
    ]);
  });

  it.each<[string, object, string]>([
    ["a chart that is not there", { charts: [{ file: "no.svg" }] }, "file_not_found"],
    [
      "a chart that is none",
      { charts: [{ name: "c", spec: { mark: "barr" }, data: rows }] },
      "invalid_chart",
    ],
    ["a file and a spec", { charts: [{ name: "c", file: "a.svg", spec: bars }] }, "invalid_arguments"],
    [
      "two of one name",
      {
        tables: [
          { name: "t", rows },
          { name: "t", rows },
        ],
      },
      "invalid_arguments",
    ],
    [
      "too many columns",
      {
        tables: [
          { name: "t", rows: [Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`c${n}`, n]))] },
        ],
      },
      "report_too_large",
    ],
    ["too many rows", { tables: [{ name: "t", rows: Array(5_001).fill({}) }] }, "invalid_arguments"],
    ["a path that leads out", { path: "." }, "invalid_arguments"],
    ["a drawing that is no SVG", { charts: [{ file: "x.svg" }] }, "invalid_chart"],
    ["too many pages", { markdown: "---\n\n".repeat(10_000), path: "r.pdf" }, "report_too_large"],
  ])("refuses %s", async (_what, args, code) => {
    const workspace = memoryWorkspace();
    await workspace.write("x.svg", new TextEncoder().encode("<html></html>"), "image/svg+xml");
    const refused: unknown = await render({ markdown: "", ...args }, workspace).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code });
    expect(await workspace.list()).toEqual(["x.svg"]);
  });

  it("abandons a report that takes too long, and renders the next one", async () => {
    using hasty = createReportRenderer({ deadlineMs: 1_500 });
    const own = reportRender({ charts, reports: hasty });
    const endless = { title: "t", markdown: "- a\n".repeat(60_000), path: "r.pdf" };
    await expect(own.run(endless, testContext())).rejects.toMatchObject({ code: "deadline_exceeded" });
    const next = await own.run({ title: "t", markdown: "next", formats: ["html"] }, testContext());
    expect(next).toMatchObject({ html: { path: "report-s1.html" } });
  });
});
