import type { GuestDatabase } from "../../program.ts";
import type { GuestPart } from "../guest-part.ts";

/**
 * Tables as their rows alone, for a language that makes its own tables of them: a function of an operation and its
 * arguments, and how the tables are made.
 *
 * @param call - Does one thing with a row; see `GuestTables`.
 */
export function rowsPart(
  tables: GuestDatabase["tables"],
  call: (operation: string, json: string) => string,
): GuestPart {
  return {
    name: "rows",
    functions: { call: (operation = "", json = "") => call(operation, json) },
    data: tables,
    source: `({ stringify, parse, freeze }, { call }, tables) => freeze({
      __proto__: null, tables, run: (operation, args) => parse(call(operation, stringify(args))),
    })`,
  };
}
