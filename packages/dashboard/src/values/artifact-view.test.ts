import { expect, it } from "vitest";
import { parseCsv } from "./artifact-view.tsx";

it("reads quoted cells, line ends of both kinds, missing cells and numbers", () => {
  expect(parseCsv('a,"b ""c""",d\r\n1,"x,\ny",\n-2.50,007,z,extra\n\n"open')).toEqual({
    columns: ["a", 'b "c"', "d"],
    rows: [
      [1, "x,\ny", null],
      [-2.5, "007", "z"],
      ["open", null, null],
    ],
    truncated: false,
  });
});

it.each(["", "a,b", "a,b\n", "\n\n"])("does not read text without rows as a table: %j", (text) => {
  expect(parseCsv(text)).toBeUndefined();
});

it("limits the number of rows, and says so", () => {
  const table = parseCsv(`a\n${"1\n".repeat(6_000)}`);
  expect([table?.rows.length, table?.truncated]).toEqual([5_000, true]);
});
