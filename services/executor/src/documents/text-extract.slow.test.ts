// text.extract with real documents in a real child process, some of them malicious.
import { deflateSync } from "node:zlib";
import { PermanentError } from "@planwright/shared/errors";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createDocumentReader, textExtract } from "./text-extract.ts";
import { createTextExtractor } from "./text-extractor.ts";
import { createFetcher } from "../net/create-fetcher.ts";
import { createPageReader } from "../page/page-reader.ts";
import { type HttpServer, reply, startHttpServer } from "../testing/http-server.ts";
import { makePdf } from "../testing/make-pdf.ts";
import { makeZip } from "../testing/make-zip.ts";
import { httpFetch } from "../page/http-fetch.ts";
import { memoryWorkspace, testContext } from "../tools/testing/test-context.ts";

const pages = createPageReader();
const extractor = createTextExtractor();
const hasty = createTextExtractor({ deadlineMs: 1_000 });
afterAll(() => {
  for (const child of [pages, extractor, hasty]) child[Symbol.dispose]();
});

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function extract(
  path: string,
  bytes: Uint8Array | string,
  { args = {}, by = extractor }: { readonly args?: object; readonly by?: typeof extractor } = {},
): Promise<unknown> {
  const workspace = memoryWorkspace();
  await workspace.write(path, Buffer.from(bytes), "application/octet-stream");
  const documents = createDocumentReader({ pages, extractor: by });
  const tool = textExtract({ fetcher: createFetcher({ allow: [] }), documents });
  return tool.run({ path, ...args }, testContext({ workspace }));
}

const w = (body: string) =>
  `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
const p = (text: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const docx = (body: string, more: Readonly<Record<string, string>> = {}) =>
  makeZip({ "[Content_Types].xml": "<Types/>", "word/document.xml": w(body), ...more });

describe("text.extract", () => {
  it("reads a PDF page by page, with its title", async () => {
    const pdf = makePdf([["Revenue (total)", "is 31.5"], [], ["The end"]], { title: "Report" });
    expect(await extract("a.pdf", pdf)).toEqual({
      source: "a.pdf",
      kind: "pdf",
      title: "Report",
      text: "--- page 1 ---\n\nRevenue (total)\nis 31.5\n\n--- page 3 ---\n\nThe end",
      pages: 3,
      truncated: false,
    });
  });

  it("reads a Word document as Markdown with headings, lists and tables, but without deleted text", async () => {
    const list = (level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
    const cell = (text: string) => `<w:tc>${p(text)}</w:tc>`;
    const body = [
      p("Plan", '<w:pStyle w:val="Titel"/>'),
      p("Part &amp; parcel", "<w:pStyle w:val='berschrift2'/>"),
      "<w:p><w:r><w:t>Two</w:t></w:r><w:r><w:tab/><w:t xml:space='preserve'> runs</w:t><w:br/><w:t>and a line</w:t></w:r>" +
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
      "<w:p/>",
      p("first", list(0)),
      p("below", list(1)),
      `<w:tbl><w:tr>${cell("a|b")}${cell("c")}</w:tr><w:tr><w:tc>${p("1")}${p("2")}</w:tc>${cell("3")}</w:tr></w:tbl>`,
      `<mc:AlternateContent><mc:Choice>${p("new")}</mc:Choice><mc:Fallback>${p("old")}</mc:Fallback></mc:AlternateContent>`,
    ].join("");
    const styles =
      '<w:styles><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>' +
      '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>';
    const core = "<cp:coreProperties><dc:title>Plan A &amp; B</dc:title></cp:coreProperties>";
    const file = docx(body, { "word/styles.xml": styles, "docProps/core.xml": core });
    expect(await extract("a.docx", file)).toEqual({
      source: "a.docx",
      kind: "docx",
      title: "Plan A & B",
      text: [
        "# Plan",
        "## Part & parcel",
        "Two\t runs\nand a line",
        "- first",
        "  - below",
        "| a\\|b | c |\n| --- | --- |\n| 1 2 | 3 |",
        "new",
      ].join("\n\n"),
      truncated: false,
    });
  });

  it.each([
    [
      "page.html",
      "<title>T</title><p>One <a href='https://a.example/x'>link</a></p>",
      "T",
      "One [link](https://a.example/x)",
    ],
    ["data.csv", "a,b\n1,2\n", null, "a,b\n1,2\n"],
    ["data.json", '{"a": 1}', null, '{"a": 1}'],
    ["notes.md", "# Größe", null, "# Größe"],
    ["old.txt", Buffer.from("Größe", "latin1"), null, "Größe"],
    ["no-end", "plain", null, "plain"],
  ])("reads %s", async (path, bytes, title, text) => {
    expect(await extract(path, bytes)).toEqual({ source: path, kind: "text", title, text, truncated: false });
  });

  it("reads as much as requested, and reports that there is more", async () => {
    const pdf = makePdf([["x".repeat(50)]]);
    expect(await extract("a.pdf", pdf, { args: { maxChars: 20 } })).toMatchObject({
      text: "--- page 1 ---\n\nxxxx",
      truncated: true,
    });
    expect(
      await extract("a.docx", docx(p("x".repeat(1_100_000))), { args: { maxChars: 1_000_000 } }),
    ).toMatchObject({
      text: "x".repeat(1_000_000),
      truncated: true,
    });
  });

  it("reads a URL, as http.fetch does", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index} ${"x".repeat(60)}`);
    const pdf = makePdf(Array.from({ length: 1_000 }, () => lines));
    expect(pdf.byteLength).toBeGreaterThan(2 * 1024 * 1024);
    server = await startHttpServer({
      "/r": reply(pdf, { "content-type": "application/pdf" }),
      "/w": reply(docx(p("Words")), { "content-type": "application/octet-stream" }),
    });
    const fetcher = createFetcher({ allow: [server.host] });
    const documents = createDocumentReader({ pages, extractor });
    const extracted = await textExtract({ fetcher, documents }).run({ url: server.url("/r") }, testContext());
    expect(extracted).toMatchObject({ source: server.url("/r"), kind: "pdf", pages: 1_000, truncated: true });
    expect(
      await httpFetch({ fetcher, documents }).run({ url: server.url("/w") }, testContext()),
    ).toMatchObject({
      text: "Words",
      truncated: false,
    });
  });
});

describe("text.extract with unreadable input", () => {
  const xmlBomb =
    `<!DOCTYPE lolz [<!ENTITY a "lol">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i} "&a${i - 1};&a${i - 1};">`).join("")}]>` +
    w(p("&a29;"));

  it.each<[string, string, Uint8Array, string]>([
    ["half a PDF", "a.pdf", Buffer.from("%PDF-1.7\nnot really"), "document_broken"],
    ["a PDF that needs a password", "a.pdf", encrypted(), "document_encrypted"],
    ["a PDF of pictures", "a.pdf", makePdf([[], []]), "no_text"],
    ["a PDF without pages", "a.pdf", makePdf([]), "document_broken"],
    [
      "an archive that is no Word document",
      "a.docx",
      makeZip({ "xl/workbook.xml": "<x/>" }),
      "document_broken",
    ],
    ["half an archive", "a.docx", docx(p("x")).subarray(0, 60), "document_broken"],
    [
      "an archive that points nowhere",
      "a.docx",
      makeZip({ "word/document.xml": w("") }, { offset: 0xffffff }),
      "document_broken",
    ],
    [
      "an encrypted archive",
      "a.docx",
      makeZip({ "word/document.xml": w("") }, { flags: 1 }),
      "document_broken",
    ],
    [
      "an unknown packing",
      "a.docx",
      makeZip({ "word/document.xml": w("") }, { method: 99 }),
      "document_broken",
    ],
    ["an archive with broken packing", "a.docx", corrupted(docx(p("x".repeat(99)))), "document_broken"],
    ["a picture", "a.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), "unsupported_content_type"],
    ["a file of before 2007", "a.doc", Buffer.from("d0cf11e0a1b11ae1", "hex"), "unsupported_content_type"],
    ["more than it may have", "a.txt", new Uint8Array(16 * 1024 * 1024 + 1).fill(65), "file_too_large"],
  ])("refuses %s", async (_what, path, bytes, code) => {
    const refused = await extract(path, bytes).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code });
  });

  it("refuses documents designed to be expensive, and reads the next document", async () => {
    const bomb = deflateSync(Buffer.alloc(256 * 1024 * 1024, " "), { level: 1 });
    const hostile: [string, Uint8Array][] = [
      ["a.docx", makeZip({ "word/document.xml": Buffer.alloc(200 * 1024 * 1024, " ") })],
      ["a.docx", docx(`${"<w:tbl><w:tr><w:tc>".repeat(20_000)}${p("x")}`)],
      ["a.docx", makeZip({ "word/document.xml": xmlBomb })],
      ["a.pdf", makePdf([[]], { content: { dictionary: "/Filter /FlateDecode", bytes: bomb } })],
      [
        "a.pdf",
        Buffer.from(
          makePdf([["x"]])
            .toString("latin1")
            .replace("/Count 1", "/Count 999999999"),
          "latin1",
        ),
      ],
      [
        "a.pdf",
        Buffer.from(
          makePdf([["x"]])
            .toString("latin1")
            .replace("[4 0 R]", "[2 0 R]"),
          "latin1",
        ),
      ],
      [
        "a.pdf",
        Buffer.from(
          makePdf([["x"]])
            .toString("latin1")
            .replace("/Contents 5", "/Contents 4"),
          "latin1",
        ),
      ],
    ];
    const codes: unknown[] = [];
    for (const [path, bytes] of hostile) {
      const outcome = await extract(path, bytes, { by: hasty }).catch((error: unknown) => error);
      codes.push(outcome instanceof PermanentError ? outcome.code : "read");
    }
    expect(codes).not.toContain("internal");
    expect(codes[3]).toMatch(/out_of_memory|deadline_exceeded/);
    const [, tooLarge = new Uint8Array()] = hostile[0] ?? [];
    const [, manyPages = new Uint8Array()] = hostile[4] ?? [];
    // With ample time: the test is about the outcome, not the speed.
    await expect(extract("a.docx", tooLarge)).rejects.toMatchObject({ code: "document_too_large" });
    await expect(extract("a.pdf", manyPages)).resolves.toBeDefined();
    const next = await vi.waitFor(() => extract("a.docx", docx(p("fine")), { by: hasty }), 60_000);
    expect(next).toMatchObject({ text: "fine" });
  }, 120_000);

  it.each([{}, { path: "a.pdf", url: "https://a.example/" }, { path: "../a" }, { path: "a", maxChars: 0 }])(
    "refuses the arguments %j",
    async (args) => {
      const tool = textExtract({
        fetcher: createFetcher({ allow: [] }),
        documents: createDocumentReader({ pages, extractor }),
      });
      await expect(tool.run(args, testContext())).rejects.toMatchObject({ code: "invalid_arguments" });
    },
  );

  it("refuses a missing file, listing the existing ones, and a blocked address", async () => {
    const tool = textExtract({
      fetcher: createFetcher({ allow: [] }),
      documents: createDocumentReader({ pages, extractor }),
    });
    await expect(tool.run({ path: "a.pdf" }, testContext())).rejects.toMatchObject({
      code: "file_not_found",
    });
    await expect(tool.run({ url: "http://169.254.169.254/" }, testContext())).rejects.toMatchObject({
      code: "address_refused",
    });
  });
});

function encrypted(): Uint8Array {
  const key = "00".repeat(32);
  return makePdf([["secret"]], {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`,
  });
}

function corrupted(bytes: Buffer): Buffer {
  const start = bytes.indexOf("word/document.xml") + "word/document.xml".length;
  return Buffer.concat([bytes.subarray(0, start), Buffer.alloc(20, 0xff), bytes.subarray(start + 20)]);
}
