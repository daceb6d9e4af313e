/**
 * References to outputs, as values: `north.output.rows[0].total`.
 *
 * As an argument a reference is `{"$ref": "…"}`, in a template literal `{{…}}`, and in `when` a plain path.
 */

declare const VALUE: unique symbol;

/** Anything that refers to a value of this type. */
export type RefTo<Value> = {
  readonly [VALUE]: Value;
  /** As it is written in texts: `{{…}}`. */
  readonly toString: () => string;
};

/** A reference whose parts can be referred to. The output of an unknown tool has any parts. */
export type Ref<Value> = unknown extends Value ? UnknownRef : RefTo<Value> & Parts<NonNullable<Value>>;

export type UnknownRef = RefTo<never> & { readonly [part: string]: UnknownRef };

type Parts<Value> = Value extends readonly (infer Entry)[]
  ? { readonly [index: number]: Ref<Entry>; readonly length: Ref<number> }
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Ref<Exclude<Value[Key], undefined>> }
    : unknown;

/** A value, in which any part may be a reference. Text may hold references in template literals. */
export type Input<Value> = unknown extends Value
  ? unknown
  : RefTo<Value> | (Value extends object ? { readonly [Key in keyof Value]: Input<Value[Key]> } : Value);

const PATH = Symbol("path of a reference");
const PLAIN_KEY = /^[\w-]+$/;
const INDEX = /^\d{1,9}$/;

/** Makes a reference; each of its properties is a reference to that part. */
export function refTo<Value>(path: string): Ref<Value> {
  const target = Object.freeze(Object.create(null)) as object;
  const proxy: unknown = new Proxy(target, {
    get: (_target, key) => {
      if (key === PATH) return path;
      if (key === Symbol.toPrimitive || key === "toString") return () => `{{${path}}}`;
      if (key === "toJSON") return () => ({ $ref: path });
      // `then` would make an `await` of it hang.
      if (typeof key === "symbol" || key === "then") return undefined;
      return refTo(path + partOf(key));
    },
  });
  // Every property exists, whatever the type states.
  return proxy as Ref<Value>;
}

/** Undefined for anything else. */
export function pathOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const path = (value as { readonly [PATH]?: unknown })[PATH];
  return typeof path === "string" ? path : undefined;
}

function partOf(key: string): string {
  if (INDEX.test(key)) return `[${key}]`;
  return PLAIN_KEY.test(key) ? `.${key}` : `["${key.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
}
