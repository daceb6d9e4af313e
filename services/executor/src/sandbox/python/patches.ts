/** Patches where Brython differs from Python in ways that users would notice. */

type Patch = { readonly find: string; readonly put: string };

const BRYTHON: readonly Patch[] = [
  // Without it, `f"{0.256:.0%}"` lacks its sign, `f"{2.5:.0f}"` rounds up, and numbers show digits that they do not have.
  {
    find: 'if(prec==0){return Math.round(value)+""}\nres=$B.roundDownToFixed(value,prec)',
    put: "res=__toFixed(value,prec)",
  },
  {
    find: 'if(pt_pos==-1){res+="."+"0".repeat(fmt.precision)}else{\nvar missing',
    put: "if(pt_pos>-1){\nvar missing",
  },
  // Without it, `round(2.675, 2)` gives 2.68.
  {
    find: 'if(typeof ndigits=="bigint"){ndigits=Number(ndigits)}\nvar pow1,pow2,y,z',
    put: "if(ndigits>0 && ndigits<=100){return $B.fast_float(Number(__toFixed(x.value,ndigits)))}\nvar pow1,pow2,y,z",
  },
  // Without it, `round(1250, -2)` gives an error.
  {
    find: "var mult=Math.pow(10,n),x=arg*mult,floor=",
    put: "if($.ndigits!==None && typeof arg=='number'){return __roundWhole(arg,n)}\nvar mult=Math.pow(10,n),x=arg*mult,floor=",
  },
];

/**
 * Formats a number with a fixed number of decimals as C does: from its exact value, with halves rounded to even; and the same for
 * integers.
 */
const ROUNDING = `
globalThis.__toFixed = (value, digits) => {
  if (Math.abs(value) >= 1e21) return BigInt(value).toString() + (digits > 0 ? "." + "0".repeat(digits) : "");
  if (digits > 70) return value.toFixed(100).slice(0, digits - 100 || undefined) + "0".repeat(Math.max(0, digits - 100));
  const rounded = value.toFixed(digits), exact = value.toFixed(digits + 30);
  const kept = exact.slice(0, -30).replace(/\\.$/, "");
  return /^50*$/.test(exact.slice(-30)) && Number(kept.at(-1)) % 2 === 0 ? kept : rounded;
};
globalThis.__roundWhole = (value, digits) => {
  if (digits >= 0) return value;
  if (digits < -15) return 0;
  const unit = 10 ** -digits, rest = ((value % unit) + unit) % unit, down = value - rest;
  const up = rest * 2 === unit ? (down / unit) % 2 !== 0 : rest * 2 > unit;
  return up ? down + unit : down;
};
`;

/** Patches for library modules, by name, that fail only in Brython. */
const LIBRARY: Readonly<Record<string, Patch>> = {
  _collections: { find: "self=object.__new__(cls,*args,**kw)", put: "self=object.__new__(cls)" },
  _pydatetime: {
    find: "return super().__new__(cls,(year,week,weekday))",
    put: "return tuple.__new__(cls,(year,week,weekday))",
  },
};

/** @throws {Error} When the text to patch is missing: a new version of Brython needs a new look. */
export function patched(brython: string): string {
  return ROUNDING + BRYTHON.reduce(put, brython);
}

/** The patched source of a library module. @throws {Error} Like `patched`. */
export function patchedModule(name: string, text: string): string {
  const patch = LIBRARY[name];
  return patch === undefined ? text : put(text, patch);
}

function put(text: string, { find, put: by }: Patch): string {
  if (!text.includes(find)) throw new Error(`Brython has changed, and lacks ${find}`);
  return text.replace(find, () => by);
}
