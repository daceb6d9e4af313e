import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findSourcesFile, readSources } from "./sources-file.ts";

const text = (sources: object) => JSON.stringify({ sources });
const read = (content: string) => readSources({ file: "/etc/planwright/sources.json", text: content });

describe("a file of data sources", () => {
  it("lists sources with paths relative to its folder, read-only by default", () => {
    const rules = { inventory: { min: { stock: 0 }, insert: false } };
    const sources = {
      store: { kind: "sqlite", path: "data/store.db", writable: true, rules },
      archive: { kind: "sqlite", path: "/var/archive.db" },
      sales: { kind: "csv", path: "../sales" },
    };
    expect(read(text(sources))).toEqual([
      {
        name: "store",
        kind: "sqlite",
        path: "/etc/planwright/data/store.db",
        writable: true,
        rules: { inventory: { min: { stock: 0 }, insert: false, update: true, delete: true } },
      },
      { name: "archive", kind: "sqlite", path: "/var/archive.db", writable: false },
      { name: "sales", kind: "csv", path: "/etc/sales", writable: false },
    ]);
  });

  it.each([
    ["{", "/etc/planwright/sources.json: wanted JSON: "],
    ["[]", "the file: wanted an object"],
    ["{}", "sources: wanted an object"],
    [text({ "1st": { kind: "csv", path: "a" } }), "sources.1st: wanted a name of a letter, then letters"],
    [text({ s: { kind: "mysql", path: "a" } }), 'sources.s.kind: wanted one of "sqlite", "csv", got "mysql"'],
    [text({ s: { kind: "sqlite" } }), "sources.s.path: wanted text, got nothing"],
    [text({ s: { kind: "sqlite", path: " " } }), "sources.s.path: wanted at least 1 character"],
    [text({ s: { kind: "csv", path: "a", writable: true } }), "sources.s.writable: wanted false: CSV files"],
    [text({ s: { kind: "sqlite", path: "a", writeable: true } }), 'unknown field: "writeable"'],
    [text({ s: { kind: "sqlite", path: "a", writable: "yes" } }), "sources.s.writable: wanted"],
    [text({ s: { kind: "sqlite", path: "a", rules: {} } }), "sources.s.rules: wanted none"],
    [
      text({ s: { kind: "sqlite", path: "a", writable: true, rules: { t: { min: { n: "0" } } } } }),
      "sources.s.rules.t.min.n: wanted",
    ],
    [
      text(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`s${n}`, { kind: "csv", path: "a" }]))),
      "wanted at most 100 sources",
    ],
  ])("is rejected with the position of the fault, case %#", (content, fault) =>
    expect(() => read(content)).toThrow(fault),
  );

  it("is read from the configured path, else from the first folder that has it", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "planwright-sources-"));
    const folders = [path.join(folder, "data"), folder];
    try {
      expect(await findSourcesFile({ named: undefined, folders })).toBeUndefined();
      writeFileSync(path.join(folder, "sources.json"), text({}));
      expect(await findSourcesFile({ named: undefined, folders })).toEqual({
        file: path.join(folder, "sources.json"),
        text: text({}),
      });
      const named = path.join(folder, "none.json");
      await expect(findSourcesFile({ named, folders })).rejects.toThrow(`${named}: file not found`);
      await expect(findSourcesFile({ named: folder, folders })).rejects.toMatchObject({
        code: "invalid_sources",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
