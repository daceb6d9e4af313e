import { expect, it } from "vitest";
import { programSource } from "./program-source.ts";

const [sales, prices] = [{ name: "sales" }, { name: "prices", writable: false }];
const [store, stock] = [
  { name: "store", writable: true },
  { name: "stock", writable: true },
];

it.each([
  ["none", [], undefined],
  ["the only one", [sales], sales],
  ["the only one that can be changed", [sales, store, prices], store],
  ["none of several that are only read", [sales, prices], undefined],
  ["none of several that can be changed", [store, stock, sales], undefined],
])("chooses %s", (_what, sources, wanted) => {
  expect(programSource(sources)).toBe(wanted);
});
