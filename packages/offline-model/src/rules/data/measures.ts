/** What the names of numeric columns reveal: whether they can be added up, and their synonyms. */
import { stemsOf, wordsOf } from "../text/words.ts";

/** Words in a column's name that only give its unit. */
export const UNIT_WORDS: ReadonlySet<string> = new Set(
  stemsOf(
    "percent percentage pct million millions thousand usd eur gbp euro dollar kg km cm name title label total amount value number",
  ),
);

/** Names for the units in columns' names: `under 30 minutes` bounds `duration_min`. */
const UNITS = [
  "min minute",
  "h hr hour",
  "sec second",
  "day",
  "week",
  "month",
  "year",
  "km kilometre kilometer",
  "m metre meter",
  "cm centimetre centimeter",
  "kg kilo kilogram",
  "litre liter l",
  "kwh",
  "sqm m2",
].map((group) => new Set(stemsOf(group)));

/** Whether a word names a column's unit. */
export function isUnitOf(word: string, { name }: { readonly name: string }): boolean {
  const last = stemsOf(name).at(-1) ?? "";
  return UNITS.some((group) => group.has(word) && group.has(last));
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k|thousands?|tsd|k?(?:usd|eur|gbp)k|k(?:usd|eur|gbp))$/, 1_000],
  [/^(?:mn|mio|mln|millions?|mi?o?n?(?:usd|eur|gbp))$/, 1_000_000],
];

/** The multiplier of a column's numbers: 1,000,000 in `sales_million` and `budget_musd`, else 1. */
export function scaleOf({ name }: { readonly name: string }): number {
  const last = wordsOf(name).at(-1) ?? "";
  return SCALES.find(([pattern]) => pattern.test(last))?.[1] ?? 1;
}

/** Numbers whose sum is meaningless. */
const RATES = new Set(
  stemsOf(
    "price rate percent percentage pct discount score rating ratio margin age temperature share average speed latitude longitude grade height",
  ),
);

/** Numbers that are added up by default. */
const FLOWS = new Set(
  stemsOf(
    `revenue sales turnover income proceeds profit amount total value units unit quantity qty pieces volume items count
     visits clicks downloads signups orders shops stores visitors spend spending expense expenses budget payment payments hours minutes
     tickets calls sessions views impressions donations goals points attendance passengers population production output stock inventory fee fees cost costs freight discount energy consumption harvest rainfall`,
  ),
);

const TOTALS = new Set(stemsOf("total subtotal sum gross net"));

export function isRate(words: readonly string[]): boolean {
  // `total_price` is the total paid.
  if (words.some((word) => TOTALS.has(word))) return false;
  return words.some((word) => RATES.has(word)) || (words.includes("unit") && words.includes("cost"));
}

/** `discount_eur` is an amount, not a rate. */
export function isDiscountInMoney(name: string): boolean {
  return /(?:^|_)discount_(?:eur|euros?|usd|dollars?|gbp|pounds?|amount)$/i.test(name);
}

/** Measured values: a missing one is not the same as 0. */
const READINGS = new Set(
  stemsOf(
    "count score rating age temperature grade weight height level reading speed moisture humidity latitude longitude mileage ph",
  ),
);

export function isReading({ name }: { readonly name: string }): boolean {
  return stemsOf(name).some((word) => READINGS.has(word));
}

/** Matches `price` and `purchase_price`, but not `unit_price` or `price_per_hour`. */
export function isPriceOfRow({ name }: { readonly name: string }): boolean {
  const words = wordsOf(name);
  return (
    words.at(-1) === "price" &&
    !words.some((word) => /^(?:unit|per|average|avg|mean|hourly|daily|weekly|monthly|yearly)$/.test(word))
  );
}

export function isFlow(words: readonly string[]): boolean {
  return words.some((word) => FLOWS.has(word));
}

/** Groups of synonyms for finding a measure. */
const SYNONYMS = [
  "revenue sales sale turnover earnings proceeds money umsatz ingresos ventas",
  "amount total value",
  "units unit quantity qty pieces piece items item volume",
  "price cost costs priced charge",
  "salary pay wage earn earns earnings income compensation",
  "spend spending spent expense expenses",
  "rating score",
].map((group) => new Set(stemsOf(group)));

export function areSynonyms(one: string, other: string): boolean {
  return one === other || SYNONYMS.some((group) => group.has(one) && group.has(other));
}

/** Money measures that goals mean when they name none, best first. */
export const MONEY = stemsOf("revenue sales turnover income amount total value spend payment price");
/** Words in the names of money columns. */
const MONEY_WORDS = new Set(
  stemsOf(
    `revenue sales turnover income amount total value spend spending expense payment price cost fee rent deposit salary wage pay paid budget
     profit balance charge fine tax euro euros dollar usd eur gbp`,
  ),
);

export function isMoney({ name }: { readonly name: string }): boolean {
  return stemsOf(name).some((word) => MONEY_WORDS.has(word));
}

/** Measures of quantity. */
export const PIECES = stemsOf("units quantity qty pieces items volume");

/** The measures of adjectives: `cheapest` is the lowest price. */
const ADJECTIVES: readonly (readonly [RegExp, "most" | "least", readonly string[]])[] = [
  [/^cheapest|least expensive|lowest[- ]priced$/, "least", stemsOf("price cost")],
  [/^(most )?expensive|priciest|dearest|costliest|highest[- ]priced$/, "most", stemsOf("price cost")],
  [/^oldest$/, "most", stemsOf("age")],
  [/^youngest$/, "least", stemsOf("age")],
  [/^heaviest$/, "most", stemsOf("weight mass")],
  [/^lightest$/, "least", stemsOf("weight mass")],
  [/^deepest$/, "most", stemsOf("depth")],
  [/^shallowest$/, "least", stemsOf("depth")],
  [/^longest$/, "most", stemsOf("length duration distance time minutes hours seconds days")],
  [/^shortest$/, "least", stemsOf("length duration distance time height minutes hours seconds days")],
  [/^tallest$/, "most", stemsOf("height")],
  [/^hottest|warmest$/, "most", stemsOf("temperature")],
  [/^coldest$/, "least", stemsOf("temperature")],
  [/^strongest$/, "most", stemsOf("strength abv alcohol proof")],
  [/^weakest$/, "least", stemsOf("strength abv alcohol proof")],
  [/^fastest$/, "most", stemsOf("speed")],
  [/^slowest$/, "least", stemsOf("speed")],
  [/^best[- ]paid|highest[- ]paid$/, "most", stemsOf("salary wage pay")],
  [/^worst[- ]paid|lowest[- ]paid$/, "least", stemsOf("salary wage pay")],
  [/^best[- ]rated|highest[- ]rated|top[- ]rated$/, "most", stemsOf("rating score")],
  [/^worst[- ]rated|lowest[- ]rated$/, "least", stemsOf("rating score")],
  [/^most populous$/, "most", stemsOf("population")],
];

export const ADJECTIVE_PHRASES =
  /^(?:cheapest|least expensive|most expensive|priciest|dearest|costliest|oldest|youngest|heaviest|lightest|deepest|shallowest|longest|shortest|tallest|hottest|warmest|coldest|strongest|weakest|fastest|slowest|(?:best|worst|highest|lowest|top)[- ](?:paid|rated|priced)|most populous)\b/i;

/** Which end of which column an adjective means; null for an unknown one. */
export function meaningOf(adjective: string): { dir: "most" | "least"; words: readonly string[] } | null {
  const found = ADJECTIVES.find(([pattern]) => pattern.test(adjective.toLowerCase()));
  return found === undefined ? null : { dir: found[1], words: found[2] };
}
