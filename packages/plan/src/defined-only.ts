export type Optional<Shape> = { [Key in keyof Shape]?: Shape[Key] | undefined };

/** Leaves out what is undefined, as JSON would; the caller has filled in every field that must be there. */
export function definedOnly<Shape extends object>(fields: Optional<Shape>): Shape {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Shape;
}
