// Each row of the table of limits says what the code says.
import { LIMITS } from "@planwright/plan";
import { gatewayService } from "@planwright/gateway";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROW =
  /^\| (?<limit>[^|]+) \| (?<value>[^|]+) \| (?:setting `(?<setting>\w+)`|limit `(?<name>\w+)`|`(?<file>[^`]+)`: `(?<place>[^`]+)`) \| [^|]+ \|$/;
const HEAD_LINES = 2;
const SECOND_MS = 1_000;
const UNITS: Readonly<Record<string, number>> = {
  characters: 1,
  KiB: 1024,
  MiB: 1024 * 1024,
  s: SECOND_MS,
  d: 86_400 * SECOND_MS,
};
/** A number or a product of numbers, behind what a declaration, a field or a call puts before it. */
const NUMBER = /^[^\d]{0,4}(?<product>[\d_]+(?: \* [\d_]+)*)/;

const rows = readFileSync("docs/limits.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(HEAD_LINES);

function saidIn(value: string): number {
  const [, digits = "", unit] = /^([\d,]+)(?: (\w+))?$/.exec(value) ?? [];
  const factor = unit === undefined ? 1 : UNITS[unit];
  if (digits === "" || factor === undefined)
    throw new Error(`wanted a number and a known unit, got ${value}`);
  return Number(digits.replaceAll(",", "")) * factor;
}

/** White space counts for nothing: the formatter decides about it. */
function standsIn(file: string, place: string): number {
  const code = readFileSync(file, "utf8").replaceAll(/\s+/g, " ").replaceAll(" .", ".");
  const wanted = place.replaceAll(" .", ".");
  const at = code.indexOf(wanted, Math.max(0, code.indexOf(`const ${wanted} =`)));
  const product = NUMBER.exec(code.slice(at + wanted.length))?.groups?.["product"];
  if (at === -1 || product === undefined) throw new Error(`${file} has no number at ${place}`);
  return product.split(" * ").reduce((sum, factor) => sum * Number(factor.replaceAll("_", "")), 1);
}

function memberOf(members: Readonly<Record<string, unknown>>, name: string): number {
  return Number(members[name]);
}

it.each(rows)("says what the code says: %s", (row) => {
  const { value = "", setting, name, file = "", place = "" } = ROW.exec(row)?.groups ?? {};
  const said = saidIn(value.trim());
  const stands = (): number => {
    if (setting !== undefined) return memberOf(gatewayService.Config.parse({}), setting);
    return name === undefined ? standsIn(file, place) : memberOf(LIMITS, name);
  };
  expect(stands()).toBe(said);
});

it("has a row for each limit of a plan", () => {
  const table = rows.join("\n");
  for (const name of Object.keys(LIMITS)) expect(table).toContain(`limit \`${name}\``);
});
