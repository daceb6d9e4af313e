/**
 * References to outputs, as values: `north.output.rows[0].total`.
 *
 * As an argument a reference is `{"$ref": "…"}`, in a template literal `{{…}}`, and in `when` a plain path.
 */

declare const VALUE: unique symbol;

/** Anything that refers to a value of this type. */
export type RefTo<Value> = {
  readonly [VALUE]: Value;
  /** The form in text: `{{…}}`. */
  readonly toString: () => string;
};

/** A reference whose parts can be referenced too. The output of an unknown tool allows any part. */
export type Ref<Value> = unknown extends Value ? UnknownRef : RefTo<Value> & Parts<NonNullable<Value>>;

export type UnknownRef = RefTo<never> & { readonly [part: string]: UnknownRef };

type Parts<Value> = Value extends readonly (infer Entry)[]
  ? { readonly [index: number]: Ref<Entry>; readonly length: Ref<number> }
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Ref<Exclude<Value[Key], undefined>> }
    : unknown;

/** A value in which any part can be a reference. Text can contain references in template literals. */
export type Input<Value> = unknown extends Value
  ? unknown
  : RefTo<Value> | (Value extends object ? { readonly [Key in keyof Value]: Input<Value[Key]> } : Value);

const PATH = Symbol("path of a reference");
const PLAIN_KEY = /^[\w-]+$/;
const INDEX = /^\d{1,9}$/;

/** Creates a reference; each of its properties is a reference to that part. */
export function refTo<Value>(path: string): Ref<Value> {
  const target = Object.freeze(Object.create(null)) as object;
  const proxy: unknown = new Proxy(target, {
    get: (_target, key) => {
      if (key === PATH) return path;
      if (key === Symbol.toPrimitive || key === "toString") return () => `{{${path}}}`;
      if (key === "toJSON") return () => ({ $ref: path });
      // With a `then`, `await` would hang.
      if (typeof key === "symbol" || key === "then") return undefined;
      return refTo(path + partOf(key));
    },
  });
  // The proxy has every property, whatever the type says.
  return proxy as Ref<Value>;
}

/** Returns undefined if the value is not a reference. */
export function pathOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const path = (value as { readonly [PATH]?: unknown })[PATH];
  return typeof path === "string" ? path : undefined;
}

function partOf(key: string): string {
  if (INDEX.test(key)) return `[${key}]`;
  return PLAIN_KEY.test(key) ? `.${key}` : `["${key.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
}
