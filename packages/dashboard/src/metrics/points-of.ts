export type Point = { readonly index: number; readonly x: number; readonly y: number };

/**
 * The points of a line in a plot, in pixels; a missing value splits the line.
 *
 * @param top - The value at the plot's upper edge, above 0.
 */
export function pointsOf(
  values: readonly (number | null)[],
  { width, height, top }: { readonly width: number; readonly height: number; readonly top: number },
): readonly (readonly Point[])[] {
  const step = values.length < 2 ? 0 : width / (values.length - 1);
  const runs: Point[][] = [];
  let run: Point[] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      run = undefined;
      continue;
    }
    if (run === undefined) runs.push((run = []));
    run.push({ index, x: index * step, y: height - (Math.min(value, top) / top) * height });
  }
  return runs;
}
