// Each row of the table of limits says what the code says.
import { LIMITS } from "@planwright/plan";
import { gatewayService } from "@planwright/gateway";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LIMIT_PLACES, type LimitPlace } from "./support/limit-places.ts";

const ROW = /^\| (?<name>[^|]+) \| (?<value>[^|]+) \| (?:`(?<setting>\w+)`|–) \| [^|]+ \|$/;
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

function standsAt(place: LimitPlace): number {
  if ("setting" in place) return memberOf(gatewayService.Config.parse({}), place.setting);
  return "limit" in place ? memberOf(LIMITS, place.limit) : standsIn(place.file, place.place);
}

function memberOf(members: Readonly<Record<string, unknown>>, name: string): number {
  return Number(members[name]);
}

it.each(rows)("states the value of the code: %s", (row) => {
  const { name = "", value = "", setting } = ROW.exec(row)?.groups ?? {};
  const place = LIMIT_PLACES.get(name);
  if (place === undefined) throw new Error(`tests/support/limit-places.ts has no place of ${name}`);
  expect("setting" in place ? place.setting : undefined).toBe(setting);
  expect(standsAt(place)).toBe(saidIn(value.trim()));
});

it("has a row for each limit of a plan, and no place without a row", () => {
  const places = [...LIMIT_PLACES.values()];
  const limits = places.flatMap((place) => ("limit" in place ? [place.limit] : []));
  expect(limits.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  expect(rows).toHaveLength(places.length);
});
