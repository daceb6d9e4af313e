/** Rejects an invalid chart and names the invalid field; Vega-Lite itself drops unknown fields. */
import { splitAccessPath } from "vega";
import type { ChartRequest } from "../chart-renderer.ts";
import { invalidChart } from "./invalid-chart.ts";
import { eachObject, isObject, type PlainObject } from "./draw-chart.ts";

/** The Vega-Lite keywords that a spec can use; a wrong one would be dropped, or fail without a location. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** All but `image`, which would make viewers' browsers load the URL that it names. */
const MARKS = words(
  "arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail",
);

/** All but `href` and `url`, for the same reason. */
const CHANNELS = words(
  "angle color column description detail facet fill fillOpacity key latitude latitude2 longitude longitude2 opacity order radius " +
    "radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 tooltip time x x2 xError xError2 xOffset y y2 yError yError2 yOffset",
);

const TYPES = words("quantitative temporal ordinal nominal geojson");

const AGGREGATES = words(
  "argmax argmin average count distinct exponential exponentialb max mean median min missing product q1 q3 ci0 ci1 stderr stdev stdevp sum valid values variance variancep",
);

const ROWS_MAX = 5_000;
const SIDE_MAX = 4_000;
const VIEWS = ["mark", "layer", "hconcat", "vconcat", "concat", "facet", "repeat", "spec"];
/** Transforms whose output fields depend on the data. */
const OPEN_ENDED = ["pivot", "lookup", "flatten"];

/** @returns The spec to draw, with its data inside. */
export function checkChart({ spec, data }: ChartRequest): PlainObject {
  if (!VIEWS.some((view) => Object.hasOwn(spec, view)))
    throw invalidChart("spec", `wanted a mark, or one of ${VIEWS.slice(1).join(", ")}`);
  if (data !== undefined && data.length > ROWS_MAX) throw tooManyRows("data", data.length);
  const whole = data === undefined ? spec : { ...spec, data: { values: data } };
  if (whole["data"] === undefined && whole["datasets"] === undefined && !hasInnerData(spec)) {
    throw invalidChart("data", "wanted rows, got none: pass them as `data`");
  }
  eachObject(whole, "spec", (object, path) => {
    checkData(object, path);
    checkView(object, path);
  });
  if (data !== undefined) checkFields(whole, data);
  return whole;
}

function hasInnerData(spec: PlainObject): boolean {
  let found = false;
  eachObject(spec, "spec", (object) => {
    found ||= isObject(object["data"]);
  });
  return found;
}

function checkData(object: PlainObject, path: string): void {
  for (const [key, value] of Object.entries(object)) {
    const field = `${path}.${key}`;
    if (key === "__proto__") throw invalidChart(field, "is not a valid field name");
    if (Array.isArray(value) && value.length > ROWS_MAX) throw tooManyRows(field, value.length);
    if (
      (key === "width" || key === "height") &&
      typeof value === "number" &&
      !(value > 0 && value <= SIDE_MAX)
    ) {
      throw invalidChart(field, `wanted more than 0 and at most ${SIDE_MAX}, got ${value}`);
    }
    if (key === "data" && isObject(value) && Object.hasOwn(value, "url")) {
      throw invalidChart(`${field}.url`, "charts cannot load data: pass rows as `data`");
    }
    if (key === "sequence" && isObject(value)) checkSequence(value, field);
  }
}

function checkSequence({ start, stop, step = 1 }: PlainObject, field: string): void {
  const count = Math.abs((Number(stop) - Number(start)) / Number(step));
  if (!(count <= ROWS_MAX)) throw tooManyRows(field, count);
}

function checkView({ mark, encoding }: PlainObject, path: string): void {
  if (mark !== undefined) {
    const name = isObject(mark) ? mark["type"] : mark;
    const field = isObject(mark) ? `${path}.mark.type` : `${path}.mark`;
    checkWord(field, name, MARKS);
    if (isObject(mark) && mark["href"] !== undefined)
      throw invalidChart(`${path}.mark.href`, "links are not allowed in charts");
  }
  if (!isObject(encoding)) return;
  for (const [channel, definition] of Object.entries(encoding)) {
    const field = `${path}.encoding.${channel}`;
    if (!CHANNELS.has(channel)) throw unknownWord(field, channel, CHANNELS);
    for (const [index, one] of (Array.isArray(definition) ? definition : [definition]).entries()) {
      if (isObject(one)) checkDefinition(one, Array.isArray(definition) ? `${field}[${index}]` : field);
    }
  }
}

function checkDefinition({ type, aggregate }: PlainObject, field: string): void {
  if (type !== undefined) checkWord(`${field}.type`, type, TYPES);
  if (typeof aggregate === "string") checkWord(`${field}.aggregate`, aggregate, AGGREGATES);
}

/** Checks that every field that a channel names is a column of the data or created by a transform. */
function checkFields(spec: PlainObject, data: readonly PlainObject[]): void {
  const columns = new Set(data.flatMap((row) => Object.keys(row)));
  const made = new Set(["key", "value"]);
  let openEnded = false;
  eachObject({ ...spec, data: undefined }, "spec", (object) => {
    for (const name of [object["as"]].flat()) if (typeof name === "string") made.add(name);
    openEnded ||= OPEN_ENDED.some((name) => Object.hasOwn(object, name)) || isObject(object["data"]);
  });
  if (openEnded) return;
  eachObject({ ...spec, data: undefined }, "spec", ({ encoding }, path) => {
    if (!isObject(encoding)) return;
    eachObject(encoding, `${path}.encoding`, ({ field }, at) => {
      if (typeof field !== "string" || at.endsWith(".sort")) return;
      const [column = ""] = splitAccessPath(field);
      if (columns.has(column) || made.has(column)) return;
      const escaped = columns.has(field)
        ? `; write ${JSON.stringify(field.replaceAll(/[.[\]]/g, "\\$&"))}`
        : "";
      throw invalidChart(
        `${at}.field`,
        `no column ${JSON.stringify(field)}; there are: ${list(columns)}${escaped}`,
      );
    });
  });
}

function checkWord(field: string, word: unknown, known: ReadonlySet<string>): void {
  if (typeof word !== "string" || !known.has(word)) throw unknownWord(field, word, known);
}

function unknownWord(field: string, word: unknown, known: ReadonlySet<string>): Error {
  return invalidChart(field, `wanted one of ${list(known)}, got ${JSON.stringify(word)?.slice(0, 100)}`);
}

function tooManyRows(field: string, count: number): Error {
  return invalidChart(
    field,
    `wanted at most ${ROWS_MAX} entries, got ${count}: aggregate or filter the rows first`,
  );
}

function list(words: ReadonlySet<string>): string {
  return [...words].slice(0, 60).join(", ");
}
