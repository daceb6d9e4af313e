/** Colours as seen with normal vision and with common colour blindness. */

/** Of linear light: red, green and blue from 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/**
 * Simulates a colour as seen with complete protanopia, deuteranopia or tritanopia, after Machado, Oliveira and Fernandes,
 * "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
 */
export const VISIONS = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Readonly<Record<string, Matrix>>;

export type Vision = keyof typeof VISIONS;

/** How far apart two colours (`#rrggbb`) look: 100 times their distance in OKLab; below 2 they look the same. */
export function differenceOf(left: string, right: string, vision: Vision): number {
  const [a, b] = [left, right].map((colour) => okLab(transform(VISIONS[vision], linearOf(colour))));
  if (a === undefined || b === undefined) return 0;
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The contrast of two colours by WCAG 2, from 1 to 21. */
export function contrastOf(left: string, right: string): number {
  const [dark = 0, light = 0] = [left, right]
    .map((colour) => dot([0.2126, 0.7152, 0.0722], linearOf(colour)))
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function linearOf(colour: string): Rgb {
  const channel = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Björn Ottosson, "A perceptual color space for image processing" (2020). */
function okLab(colour: Rgb): Rgb {
  const cones = transform(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour,
  );
  return transform(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
    false,
  );
}

/** @param clips - Clips to the range that a screen can show. */
function transform(matrix: Matrix, colour: Rgb, clips = true): Rgb {
  const row = (index: 0 | 1 | 2) => {
    const value = dot(matrix[index], colour);
    return clips ? Math.min(1, Math.max(0, value)) : value;
  };
  return [row(0), row(1), row(2)];
}

function dot(left: Rgb, right: Rgb): number {
  return left[0] * right[0] + left[1] * right[1] + left[2] * right[2];
}
