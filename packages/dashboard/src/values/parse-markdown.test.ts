import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./parse-markdown.ts";

describe("Markdown", () => {
  it("is parsed into the blocks that models write", () => {
    const text = "# Title\n\nOne\ntwo\n\n- a\n  - b\n1. c\n\n> q\n\n```sql\nSELECT 1\n```\n\n---\nend";
    expect(parseMarkdown(text)).toEqual([
      { kind: "heading", level: 1, text: "Title" },
      { kind: "paragraph", text: "One\ntwo" },
      {
        kind: "list",
        ordered: false,
        start: 1,
        items: [
          { depth: 0, text: "a" },
          { depth: 1, text: "b" },
          { depth: 0, text: "c" },
        ],
      },
      { kind: "quote", text: "q" },
      { kind: "code", text: "SELECT 1" },
      { kind: "rule" },
      { kind: "paragraph", text: "end" },
    ]);
  });

  it("supports tables", () => {
    expect(parseMarkdown("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nafter")).toEqual([
      { kind: "table", head: ["a", "b"], rows: [["1", "2"]] },
      { kind: "paragraph", text: "after" },
    ]);
  });

  it("keeps tags as text", () => {
    expect(parseMarkdown("<script>alert(1)</script>")).toEqual([
      { kind: "paragraph", text: "<script>alert(1)</script>" },
    ]);
  });

  it.each(["```\nnever closed", "| a |\n|-", "-", ">", "#", "1.", "\r\n\r\n", ""])(
    "reads %j to its end",
    (text) => {
      expect(JSON.stringify(parseMarkdown(text)).length).toBeGreaterThan(0);
    },
  );
});
