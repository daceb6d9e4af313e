/** Makes a drawing safe to embed in a page: keeps only what draws, and nothing that loads, links or runs. */
import { PermanentError } from "@planwright/shared/errors";
import { DOMParser } from "linkedom";
import { escapeMarkup } from "./escape-markup.ts";
import type { Drawing } from "./report-document.ts";

const DEPTH_MAX = 100;
const NODES_MAX = 200_000;
const SIDE_MAX = 10_000;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const ELEMENTS = words(
  "svg g path rect line circle ellipse polyline polygon text tspan defs clipPath linearGradient radialGradient stop",
);
const ATTRIBUTES = words(
  "id d x y x1 y1 x2 y2 dx dy cx cy fx fy r rx ry width height points transform viewBox offset stop-color stop-opacity " +
    "gradientUnits gradientTransform spreadMethod clipPathUnits clip-path clip-rule fill fill-opacity fill-rule stroke " +
    "stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit " +
    "opacity font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing",
);
/** A reference inside the same drawing; any other `url` would be loaded. */
const OWN_PLACE = /^url\(#([\w-]+)\)$/;

type SvgNode = {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly childNodes: Iterable<SvgNode>;
};
const ELEMENT = 1;
const TEXT = 3;

/**
 * Rewrites an SVG, keeping only a short list of drawing elements and attributes.
 *
 * The descriptions of its marks become titles, which browsers show as tooltips.
 *
 * @param prefix - Prepended to every id, so that drawings on one page do not refer to each other.
 * @throws {PermanentError} `invalid_chart` if the source is not an SVG or has no size.
 */
export function cleanSvg(source: string, prefix: string): Drawing {
  const root = parse(source);
  const { width, height } = sizeOf(root);
  let nodes = 0;
  const write = (node: SvgNode, depth: number): string => {
    nodes += 1;
    if (depth > DEPTH_MAX) throw invalidChart(`is nested deeper than ${DEPTH_MAX} levels`);
    if (nodes > NODES_MAX) throw invalidChart(`has more than ${NODES_MAX} parts`);
    if (node.nodeType === TEXT) return escapeMarkup(node.textContent);
    if (node.nodeType !== ELEMENT || !ELEMENTS.has(node.localName)) return "";
    const attributes = [...node.attributes];
    const kept = attributes.flatMap(({ name, value }) => keep(name, value, prefix)).join("");
    const said = attributes.find(({ name }) => name === "aria-label")?.value;
    const title = said === undefined || depth === 0 ? "" : `<title>${escapeMarkup(said)}</title>`;
    const inner = [...node.childNodes].map((child) => write(child, depth + 1)).join("");
    const space = depth === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : "";
    return `<${node.localName}${space}${kept}>${title}${inner}</${node.localName}>`;
  };
  return { svg: write(root, 0), width, height };
}

function parse(source: string): SvgNode {
  const document: unknown = new DOMParser().parseFromString(source, "image/svg+xml");
  // The package declares a browser's document, a type that Node does not have.
  const root = (document as { readonly documentElement: SvgNode | null }).documentElement;
  if (root?.localName !== "svg") throw invalidChart("is not an SVG");
  return root;
}

function sizeOf({ attributes }: SvgNode): { readonly width: number; readonly height: number } {
  const values = new Map([...attributes].map(({ name, value }) => [name, value]));
  const [, , boxWidth, boxHeight] = (values.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const side = (name: "width" | "height", otherwise = Number.NaN): number => {
    const own = Number.parseFloat(values.get(name) ?? "");
    return own > 0 ? own : otherwise;
  };
  const size = { width: side("width", boxWidth), height: side("height", boxHeight) };
  for (const length of Object.values(size)) {
    if (!(length > 0 && length <= SIDE_MAX))
      throw invalidChart(`wanted a width and a height of at most ${SIDE_MAX}`);
  }
  return size;
}

function keep(name: string, value: string, prefix: string): string[] {
  if (!ATTRIBUTES.has(name)) return [];
  const write = (text: string) => [` ${name}="${escapeMarkup(text)}"`];
  if (name === "id") return write(`${prefix}${value}`);
  if (!/url|\\/i.test(value)) return write(value);
  const [, place] = OWN_PLACE.exec(value.trim()) ?? [];
  return place === undefined ? [] : write(`url(#${prefix}${place})`);
}

function invalidChart(fault: string): PermanentError {
  return new PermanentError(`the drawing ${fault}`, { code: "invalid_chart" });
}
