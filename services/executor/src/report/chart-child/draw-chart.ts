import { type Loader, type LoggerInterface, parse, View } from "vega";
import { compile, type Config, type TopLevelSpec } from "vega-lite";
import type { Chart } from "../chart-renderer.ts";
import { invalidChart } from "./invalid-chart.ts";

const SVG_BYTES_MAX = 4 * 1024 * 1024;
const WARNINGS_MAX = 20;
/** Default sizes: wide enough for a report, where the library would draw thin bars close together. */
const LOOK: Config = {
  view: { continuousWidth: 420, continuousHeight: 260, discreteWidth: { step: 48 } },
};
/** Warnings about errors in the spec; the others only explain how it was read. */
const FAULT = /^invalid\b|is not a valid|not supported|loading failed|cannot /i;

/**
 * Draws a validated spec.
 *
 * @throws {PermanentError} `invalid_chart` with Vega-Lite's message about the spec.
 */
export async function drawChart(spec: PlainObject): Promise<Chart> {
  const notes = createNotes();
  const svg = await draw(spec, notes.logger);
  const [fault] = notes.faults;
  if (fault !== undefined) throw invalidChart("spec", fault);
  const bytes = Buffer.byteLength(svg);
  if (bytes > SVG_BYTES_MAX)
    throw invalidChart("spec", `the chart has ${bytes} bytes, the limit is ${SVG_BYTES_MAX}`);
  return { svg, warnings: notes.warnings };
}

async function draw(spec: PlainObject, logger: LoggerInterface): Promise<string> {
  try {
    // The compiler checks the actual structure: the type has no schema to validate against here.
    const compiled = compile(spec as unknown as TopLevelSpec, { logger, config: LOOK });
    const view = new View(parse(compiled.spec), { renderer: "none", loader: NO_LOADER, logger });
    return await view.toSVG();
  } catch (error) {
    throw invalidChart("spec", error instanceof Error ? error.message : String(error));
  }
}

/** Loads nothing, and keeps links out of the drawing. */
const NO_LOADER: Loader = {
  load: () => Promise.reject(new Error("charts cannot load data")),
  http: () => Promise.reject(new Error("charts cannot load data")),
  file: () => Promise.reject(new Error("charts cannot load data")),
  sanitize: () => Promise.resolve({ href: "" }),
};

function createNotes() {
  const faults: string[] = [];
  const warnings: string[] = [];
  const note = (text: string) => {
    if (FAULT.test(text)) faults.push(text);
    else if (warnings.length < WARNINGS_MAX) warnings.push(text);
  };
  const logger: LoggerInterface = {
    level: () => logger,
    error: (...parts) => {
      faults.push(parts.map(String).join(" "));
      return logger;
    },
    warn: (...parts) => {
      note(parts.map(String).join(" "));
      return logger;
    },
    info: () => logger,
    debug: () => logger,
  };
  return { faults, warnings, logger };
}

export type PlainObject = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 40;
const NODES_MAX = 200_000;

export function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Calls back with every object inside a value and its path, outermost first.
 *
 * @throws {PermanentError} `invalid_chart` for a value that is nested too deeply or has too many parts.
 */
export function eachObject(
  root: unknown,
  rootPath: string,
  visit: (object: PlainObject, path: string) => void,
): void {
  const open: (readonly [value: unknown, path: string, depth: number])[] = [[root, rootPath, 0]];
  let nodes = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [value, path, depth] = entry;
    nodes += 1;
    if (depth > DEPTH_MAX) throw invalidChart(path.slice(0, 200), `nested deeper than ${DEPTH_MAX} levels`);
    if (nodes > NODES_MAX) throw invalidChart(rootPath, `more than ${NODES_MAX} values`);
    if (isObject(value)) visit(value, path);
    const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
    // In reverse, because the last one pushed is the first one popped.
    for (const [key, child] of inner.reverse()) {
      open.push([child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1]);
    }
  }
}
