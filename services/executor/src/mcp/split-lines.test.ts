import fc from "fast-check";
import { expect, it } from "vitest";
import { createLineSplitter } from "./split-lines.ts";

it("produces the same lines for any chunking", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 12 })),
      fc.array(fc.nat(20)),
      (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll("\n", ""));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const splitter = createLineSplitter(1_000);
        const found: string[] = [];
        let from = 0;
        for (const cut of [...cuts, bytes.byteLength]) {
          found.push(...splitter.push(bytes.subarray(from, from + cut)));
          from += cut;
        }
        expect(found).toEqual(lines);
      },
    ),
  );
});

it("refuses a line that is too long before it ends", () => {
  const splitter = createLineSplitter(10);
  expect(splitter.push(Buffer.from("0123456789\n012345"))).toEqual(["0123456789"]);
  expect(() => splitter.push(Buffer.from("67890"))).toThrow(/more than 10 bytes/);
});
