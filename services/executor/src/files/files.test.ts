import { describe, expect, it } from "vitest";
import { filesList } from "./files-list.ts";
import { filesRead } from "./files-read.ts";
import { filesWrite } from "./files-write.ts";
import { memoryWorkspace, testContext } from "../tools/testing/test-context.ts";

describe("files.write and files.read", () => {
  it("reads back a file that an earlier step of the plan wrote", async () => {
    const context = testContext();
    const content = "# Größe\n\n\u{1F600} \u0000 \uFEFFend";
    await expect(filesWrite().run({ path: "out/report.md", content }, context)).resolves.toEqual({
      path: "out/report.md",
      bytes: Buffer.byteLength(content),
      artifact: {
        name: "out/report.md",
        contentType: "text/markdown; charset=utf-8",
        bytes: Buffer.byteLength(content),
      },
    });
    await expect(filesRead().run({ path: "out/report.md" }, context)).resolves.toEqual({
      path: "out/report.md",
      content,
    });
  });

  it("leaves one file when the same step runs twice", async () => {
    const workspace = memoryWorkspace();
    const write = () => filesWrite().run({ path: "a.txt", content: "one" }, testContext({ workspace }));
    expect(await write()).toEqual(await write());
    expect(await workspace.list()).toEqual(["a.txt"]);
    expect(filesWrite().spec).toMatchObject({ effect: "idempotent", risk: "medium" });
  });

  it("never labels a file as a page or an image that a browser would execute", async () => {
    for (const path of ["page.html", "image.svg", "x.xhtml", "constructor", ".toString"]) {
      const written = await filesWrite().run({ path, content: "<script>alert(1)</script>" }, testContext());
      expect(written).toMatchObject({ artifact: { contentType: "text/plain; charset=utf-8" } });
    }
  });

  it.each([
    "",
    "/etc/passwd",
    "../outside",
    "a/../../b",
    "a/./b",
    "a//b",
    "a/",
    "..",
    ".",
    "a\u0000b",
    "a\nb",
    "a\\b",
    "C:x",
    "a/con",
    "NUL.txt",
    "name ",
    "name.",
    " name",
    "\u202Etxt.exe",
    "e\u0301",
    "\uD800",
    "x".repeat(101),
    "ab/".repeat(100),
  ])("refuses the path %j", async (path) => {
    const workspace = memoryWorkspace();
    const context = testContext({ workspace });
    await expect(filesWrite().run({ path, content: "x" }, context)).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(filesRead().run({ path }, context)).rejects.toMatchObject({ code: "invalid_arguments" });
    expect(await workspace.list()).toEqual([]);
  });

  it("lists the existing files when one is missing", async () => {
    const context = testContext();
    await expect(filesRead().run({ path: "a.txt" }, context)).rejects.toThrow(
      "no file a.txt; this plan has no files yet",
    );
    await filesWrite().run({ path: "b.txt", content: "x" }, context);
    await expect(filesRead().run({ path: "a.txt" }, context)).rejects.toMatchObject({
      code: "file_not_found",
      message: "no file a.txt; this plan has: b.txt",
    });
  });

  it("lists the files of the plan, or of one folder on request", async () => {
    const context = testContext();
    const list = (args: object) => filesList().run(args, context);
    await expect(list({})).resolves.toEqual({ files: [], truncated: false });
    for (const path of ["b.txt", "out/a.csv", "output.md"])
      await filesWrite().run({ path, content: "é" }, context);
    const csv = { path: "out/a.csv", bytes: 2, contentType: "text/csv; charset=utf-8" };
    await expect(list({ folder: "out" })).resolves.toEqual({ files: [csv], truncated: false });
    await expect(list({})).resolves.toMatchObject({
      files: [{ path: "b.txt" }, csv, { path: "output.md" }],
    });
    for (const folder of ["..", "/", "a/../b"]) {
      await expect(list({ folder })).rejects.toMatchObject({ code: "invalid_arguments" });
    }
  });

  it("lists max 1,000 files, and reports that there are more", async () => {
    const context = testContext();
    for (let n = 0; n <= 1_000; n += 1)
      await context.workspace.write(`${n}.txt`, new Uint8Array(), "text/plain");
    const listed = await filesList().run({}, context);
    expect(listed).toMatchObject({ files: expect.objectContaining({ length: 1_000 }), truncated: true });
  });

  it("refuses content that is too large to write or is not text", async () => {
    const context = testContext();
    await expect(
      filesWrite().run({ path: "a", content: "é".repeat(2_200_000) }, context),
    ).rejects.toMatchObject({
      code: "file_too_large",
    });
    await context.workspace.write("image.png", new Uint8Array([0x89, 0x50, 0xff]), "image/png");
    await expect(filesRead().run({ path: "image.png" }, context)).rejects.toMatchObject({ code: "not_text" });
  });

  it("writes nothing once its plan is cancelled", async () => {
    const workspace = memoryWorkspace();
    const context = testContext({ workspace, signal: AbortSignal.abort(new Error("cancelled")) });
    await expect(filesWrite().run({ path: "a.txt", content: "x" }, context)).rejects.toThrow("cancelled");
    expect(await workspace.list()).toEqual([]);
  });
});
