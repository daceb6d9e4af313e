export type Optional<Shape> = { [Key in keyof Shape]?: Shape[Key] | undefined };

/** Omits undefined fields, as JSON would; the caller must provide every required field. */
export function definedOnly<Shape extends object>(fields: Optional<Shape>): Shape {
  // Views consist of thousands of these: a loop takes a third of the time of a list of entries.
  const defined: Optional<Shape> = {};
  for (const key of Object.keys(fields) as (keyof Shape)[]) {
    if (fields[key] !== undefined) defined[key] = fields[key];
  }
  return defined as Shape;
}
