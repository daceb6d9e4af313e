import { describe, expect, it } from "vitest";
import { columnFormat } from "./data-table.tsx";
import { tableOf, tablesOf } from "./table-of.ts";

describe("a value as a table", () => {
  it("is read from a query's result, in the order of its columns", () => {
    const value = {
      columns: ["b", "a"],
      rows: [{ a: 1, b: "x" }, { b: null }],
      rowCount: 2,
      truncated: true,
    };
    expect(tableOf(value)).toEqual({
      columns: ["b", "a"],
      rows: [
        ["x", 1],
        [null, null],
      ],
      truncated: true,
    });
  });

  it("is read from a list of flat objects", () => {
    expect(tableOf([{ a: 1 }, { b: 2 }])).toEqual({
      columns: ["a", "b"],
      rows: [
        [1, null],
        [null, 2],
      ],
      truncated: false,
    });
  });

  it.each([[[]], [[1, 2]], [[{ a: { b: 1 } }]], ["rows"], [null], [{ rows: 3 }], [{}]])(
    "is not %j",
    (value) => {
      expect(tableOf(value)).toBeUndefined();
    },
  );

  it("does not read inherited properties as cells", () => {
    expect(tableOf({ columns: ["constructor"], rows: [{}] })?.rows).toEqual([[null]]);
  });
});

describe("a value as several tables", () => {
  it("is read from an object that contains only tables", () => {
    const tables = tablesOf({ s1: [{ a: 1 }], s2: { columns: ["b"], rows: [] } });
    expect(tables.map(({ name, table }) => [name, table.columns])).toEqual([
      ["s1", ["a"]],
      ["s2", ["b"]],
    ]);
  });

  it.each([{ s1: [{ a: 1 }], total: 3 }, [[{ a: 1 }]], {}, "x"])("is not %j", (value) => {
    expect(tablesOf(value)).toEqual([]);
  });
});

describe("the numbers of a column", () => {
  it.each([
    { values: [1.5, 2, 3.25, null], shown: ["1.50", "2.00", "3.25"] },
    { values: [2025, 1999], shown: ["2025", "1999"] },
    { values: [1_234_567, 5], shown: ["1,234,567", "5"] },
  ])("line up: $shown", ({ values, shown }) => {
    const format = columnFormat(values);
    expect(values.filter((value) => value !== null).map((value) => format?.format(value))).toEqual(shown);
  });

  it("are not all numbers when one is text", () => {
    expect(columnFormat([1, "2"])).toBeUndefined();
  });
});
