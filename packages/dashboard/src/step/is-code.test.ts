import { expect, it } from "vitest";
import { isCode } from "./is-code.ts";

it.each([
  ["sql", "SELECT 1", true],
  ["code", "return 1", true],
  ["query", "select name from shops where id = 1", true],
  ["query", "shops in the north", false],
  ["query", "select", false],
  ["body", "one line\nand another", true],
  ["body", "one line\n", false],
  ["sql", "", false],
  ["code", 404, false],
])("detects whether the argument %s with the value %j is code: %s", (name, value, expected) => {
  expect(isCode(name, value)).toBe(expected);
});
