import type { GuestPart } from "../guest-part.ts";

/**
 * Tables, as objects with their rows: `tables.inventory.search((row) => row.price < 100)`.
 *
 * @param call - Performs one row operation; see `GuestTables`.
 */
export function tablesPart(
  names: readonly string[],
  call: (operation: string, json: string) => string,
): GuestPart {
  return {
    name: "tables",
    functions: { call: (operation = "", json = "") => call(operation, json) },
    data: [...names],
    source: `({ stringify, parse, freeze, create, Fault }, { call }, names) => {
      const ask = (operation, args) => parse(call(operation, stringify(args)));
      const objectOf = (value) => {
        if (value === null || typeof value !== "object") throw new Fault("wanted a row, an object of its columns");
        return value;
      };
      const fits = (wanted, row) => {
        if (wanted === undefined) return true;
        if (typeof wanted === "function") return wanted(row);
        const named = objectOf(wanted);
        for (const column in named) if (row[column] !== named[column]) return false;
        return true;
      };
      const tableOf = (name) => {
        const all = () => ask("all", [name]);
        const search = (wanted) => {
          const rows = all(), found = [];
          for (let i = 0; i < rows.length; i += 1) if (fits(wanted, rows[i])) found[found.length] = rows[i];
          return found;
        };
        const some = (wanted, what) => {
          if (wanted === undefined) throw new Fault(what + " of " + name + " wants to know which rows");
          return search(wanted);
        };
        return freeze({
          __proto__: null,
          all,
          search,
          get: (wanted) => search(wanted)[0],
          count: (wanted) => search(wanted).length,
          insert: (row) => ask("insert", [name, objectOf(row)]),
          update: (changes, wanted) => {
            const rows = some(wanted, "update"), done = [];
            for (let i = 0; i < rows.length; i += 1) {
              const after = typeof changes === "function" ? changes({ ...rows[i] }) : changes;
              done[i] = ask("update", [name, rows[i], objectOf(after)]);
            }
            return done;
          },
          remove: (wanted) => {
            const rows = some(wanted, "remove");
            for (let i = 0; i < rows.length; i += 1) ask("delete", [name, rows[i]]);
            return rows;
          },
        });
      };
      const tables = create(null);
      for (let i = 0; i < names.length; i += 1) tables[names[i]] = tableOf(names[i]);
      return freeze(tables);
    }`,
  };
}
