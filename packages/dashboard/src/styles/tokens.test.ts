// The contrast of the page's colours for all kinds of vision, checked against the file that defines them.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contrastOf, differenceOf, VISIONS, type Vision } from "./testing/colour-vision.ts";

const TONES = ["ok", "run", "bad", "warn", "idle"];
/** For text up to 18 pt, by WCAG 2 AA. */
const CONTRAST_MIN = 4.5;
/** About three times the just noticeable difference, because the tones are side by side in a bar only four pixels high. */
const DIFFERENCE_MIN = 7;

const css = await readFile(path.join(import.meta.dirname, "tokens.css"), "utf8");
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
);

function colour(name: string, scheme: "light" | "dark"): string {
  const value = tokens.get(name)?.[scheme];
  if (value === undefined) throw new Error(`tokens.css has no colour --${name}`);
  return value;
}

/** Each text colour with each background that it is used on. */
const PAIRS = [
  ...["text", "text-soft", "text-faint", "accent", "accent-strong", "critical", ...TONES].flatMap((text) =>
    ["bg", "surface", "sunken", "raised"].map((ground) => [text, ground]),
  ),
  ...TONES.map((tone) => [tone, `${tone}-soft`]),
  ...["text", "text-soft", "text-faint", "accent-strong", ...TONES].map((text) => [text, "accent-soft"]),
  ...TONES.flatMap((tone) => ["text", "text-soft"].map((text) => [text, `${tone}-soft`])),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ...["service-3", "service-4"].map((service) => [service, "sunken"]),
];

describe.each(["light", "dark"] as const)("in %s", (scheme) => {
  it.each(PAIRS)("%s can be read on %s", (text = "", ground = "") => {
    expect(contrastOf(colour(text, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(CONTRAST_MIN);
  });

  it.each(Object.keys(VISIONS) as Vision[])("keeps the tones of statuses apart for %s", (vision) => {
    const close = TONES.flatMap((left, index) =>
      TONES.slice(index + 1)
        .map((right) => ({ left, right }))
        .filter(
          (pair) =>
            differenceOf(colour(pair.left, scheme), colour(pair.right, scheme), vision) < DIFFERENCE_MIN,
        ),
    );
    expect(close).toEqual([]);
  });
});
