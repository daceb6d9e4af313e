// The tool around the SQL runner, where the limits on SQL are tested.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSqlRunner } from "./sql-runner.ts";
import { type TempFolder, tempFolder } from "../testing/temp-folder.ts";
import type { SourceCatalog } from "../tools/define-tool.ts";
import { sqlQuery } from "./sql-query.ts";
import { testContext } from "../tools/testing/test-context.ts";

let folder: TempFolder;
const sql = createSqlRunner();
beforeAll(() => {
  folder = tempFolder();
});
afterAll(() => {
  sql[Symbol.dispose]();
  folder[Symbol.dispose]();
});

function catalog(): SourceCatalog {
  const path = folder.write("sales.csv", "region,units\nNorth,3\nSouth,4\n");
  return {
    list: async () => [{ name: "sales", kind: "csv", writable: false }],
    open: async (name) => (name === "sales" ? { name, kind: "csv", writable: false, path } : undefined),
  };
}

describe("sql.query", () => {
  it("queries the named source", async () => {
    const args = { source: "sales", sql: "SELECT region FROM sales WHERE units > ?", params: [3] };
    await expect(sqlQuery({ sql }).run(args, testContext({ sources: catalog() }))).resolves.toEqual({
      columns: ["region"],
      rows: [{ region: "South" }],
      rowCount: 1,
      truncated: false,
    });
  });

  it("lists the existing sources when the name is unknown", async () => {
    const run = (sources: SourceCatalog) =>
      sqlQuery({ sql }).run({ source: "../etc", sql: "SELECT 1" }, testContext({ sources }));
    await expect(run(catalog())).rejects.toMatchObject({
      code: "unknown_source",
      message: 'there is no data source "../etc"; there are: sales',
    });
    await expect(run(testContext().sources)).rejects.toThrow("there are none");
  });

  it("is cancelled with its plan", async () => {
    const context = testContext({ sources: catalog(), signal: AbortSignal.abort(new Error("cancelled")) });
    await expect(sqlQuery({ sql }).run({ source: "sales", sql: "SELECT 1" }, context)).rejects.toThrow(
      "cancelled",
    );
  });
});
