/** Steps as a submitted plan has them, and plans of the shapes that tests need again and again. */

export type BuiltStep = { readonly id: string; readonly tool: string; readonly args: object };

/** A step whose output is `value`; default: its id. */
export const echo = (id: string, value: unknown = id, more: object = {}) => ({
  id,
  tool: "flow.echo",
  args: { value },
  ...more,
});

/** A step that takes `ms` milliseconds, and puts out nothing unless `args` says so. */
export const wait = (id: string, ms: number, more: object = {}) => ({
  id,
  tool: "flow.wait",
  args: { ms },
  ...more,
});

/** A step that writes a file named after it: one with an effect. */
export const write = (id: string, more: object = {}) => ({
  id,
  tool: "files.write",
  args: { path: `${id}.txt`, content: id },
  ...more,
});

/** So many steps, `s0`, `s1` and so on, each of which puts out the output of the one before it; the first puts out `value`. */
export function chain(length: number, value: unknown = "start"): BuiltStep[] {
  return Array.from({ length }, (_, place) =>
    echo(`s${place}`, place === 0 ? value : { $ref: `s${place - 1}.output` }),
  );
}

/** So many steps, `w0`, `w1` and so on, that `make` builds, and one named `all` that needs each of them and puts out `value`. */
export function fan(
  width: number,
  make: (id: string, place: number) => BuiltStep,
  value: unknown = "all",
): BuiltStep[] {
  const steps = Array.from({ length: width }, (_, place) => make(`w${place}`, place));
  return [...steps, echo("all", value, { dependsOn: steps.map(({ id }) => id) })];
}
