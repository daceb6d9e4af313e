/** Words with the same meaning whatever the tables are about. */
import { numberOf } from "../text/words.ts";
import type { Sense } from "./senses.ts";
import { rootsOf, type Token } from "./tokens.ts";

/** Function words. */
const SKIPPED = new Set(
  `the a an our we us i you your my their its his her of in on at to for from with among as into is are was were be been being am do does did
   has have had there that who which these those please me all any such by it they them he she this both were`.split(
    /\s+/,
  ),
);

/** Verbs with so little meaning that the rest of the question determines it. */
const LIGHT = new Set(`get gets got come comes came go goes went ones goods here can`.split(" "));

export function isSkipped(token: Token): boolean {
  return SKIPPED.has(token.lower);
}

export function isLight(token: Token): boolean {
  return LIGHT.has(token.lower);
}

const most = (kinds: string) =>
  ({ k: "sup", dir: "most", kinds: rootsOf(kinds), isDate: false, often: false }) as const;
const least = (kinds: string) =>
  ({ k: "sup", dir: "least", kinds: rootsOf(kinds), isDate: false, often: false }) as const;
const ranked = (dir: "most" | "least", more: { isDate?: boolean; often?: boolean } = {}) =>
  ({ k: "sup", dir, kinds: null, isDate: more.isDate ?? false, often: more.often ?? false }) as const;

const LENGTHS = "length duration distance days minutes hours min";
const PRICES = "price cost fee fare rate rent charge";
const AREAS = "area size hectares sqm";

const more = (kinds: string) =>
  ({ k: "cmp", sign: ">", kinds: kinds === "" ? null : rootsOf(kinds) }) as const;
const fewer = (kinds: string) =>
  ({ k: "cmp", sign: "<", kinds: kinds === "" ? null : rootsOf(kinds) }) as const;

/** Phrases with their meanings; longer ones win. */
const PHRASES: readonly (readonly [string, Sense])[] = (
  [
    ["how many", { k: "ask", ask: "how many" }],
    ["how much", { k: "ask", ask: "how much" }],
    ["how long", { k: "ask", ask: "how long" }],
    ["how often", { k: "ask", ask: "how often" }],
    ["how many times", { k: "ask", ask: "how often" }],
    ["which", { k: "ask", ask: "which" }],
    ["what", { k: "ask", ask: "what" }],
    ["who", { k: "ask", ask: "who" }],
    ["when", { k: "ask", ask: "when" }],
    ["where", { k: "ask", ask: "where" }],
    ["list|show|show me|give me|give us|name|tell me|find|display", { k: "ask", ask: "list" }],
    [
      "what is the number of|what was the number of|number of|the number of|count|count of",
      { k: "ask", ask: "how many" },
    ],
    ["average|mean|on average the", { k: "agg", agg: "average" }],
    ["median", { k: "agg", agg: "median" }],
    ["total|sum of|sum", { k: "agg", agg: "sum" }],
    ["in total|altogether|overall|in all|together|all together", { k: "total" }],
    ["add up to|amount to", { k: "addup" }],
    ["on average|in the mean", { k: "onaverage" }],
    ["minimum", ranked("least")],
    ["maximum", ranked("most")],
    ["most|highest|largest|biggest|greatest|top", ranked("most")],
    ["least|lowest|smallest|fewest", ranked("least")],
    ["most often|most frequently|most times|busiest", ranked("most", { often: true })],
    ["least often|least frequently|fewest times|quietest", ranked("least", { often: true })],
    ["latest|most recent|newest|last|most recently", ranked("most", { isDate: true })],
    ["earliest|first", ranked("least", { isDate: true })],
    ["heaviest", most("weight mass")],
    ["lightest", least("weight mass")],
    ["longest", most(LENGTHS)],
    ["shortest", least(LENGTHS)],
    ["cheapest|least expensive", least(PRICES)],
    ["most expensive|dearest|priciest", most(PRICES)],
    ["deepest", most("depth")],
    ["shallowest", least("depth")],
    ["tallest|highest", most("height")],
    ["strongest", most("strength abv alcohol")],
    ["weakest", least("strength abv alcohol")],
    ["fastest", most("speed")],
    ["slowest", least("speed")],
    ["largest|biggest", most(AREAS)],
    ["smallest", least(AREAS)],
    ["oldest", most("age")],
    ["youngest", least("age")],
    ["best rated|highest rated", most("rating score satisfaction")],
    ["worst rated|lowest rated", least("rating score satisfaction")],
    ["more than|over|above|exceeding|greater than|higher than|upwards of", more("")],
    ["less than|fewer than|under|below|lower than", fewer("")],
    ["longer than", more(LENGTHS)],
    ["shorter than", fewer(LENGTHS)],
    ["larger than|bigger than", more(AREAS)],
    ["smaller than", fewer(AREAS)],
    ["heavier than", more("weight mass")],
    ["lighter than", fewer("weight mass")],
    ["older than", more("age")],
    ["younger than", fewer("age")],
    ["deeper than", more("depth")],
    ["dearer than|more expensive than", more(PRICES)],
    ["cheaper than", fewer(PRICES)],
    ["further than|farther than", more("range distance")],
    ["at least|no less than|not less than|no fewer than|a minimum of", { k: "cmp", sign: ">=", kinds: null }],
    ["at most|no more than|not more than|up to|a maximum of", { k: "cmp", sign: "<=", kinds: null }],
    ["exactly", { k: "cmp", sign: "=", kinds: null }],
    [
      "or more|or longer|or older|or over|or above|or higher|or larger|or heavier|and more|and over|and above|and older",
      { k: "trail", sign: ">=" },
    ],
    [
      "or less|or fewer|or shorter|or younger|or under|or below|or lower|or smaller|or lighter",
      { k: "trail", sign: "<=" },
    ],
    ["between", { k: "between" }],
    [
      "not|never|nobody|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|not yet|not ever|cannot",
      { k: "neg", neg: "not" },
    ],
    ["no|none", { k: "neg", neg: "no" }],
    ["without|without any|lacking|lack|lacks", { k: "neg", neg: "without" }],
    [
      "except|except for|excluding|leaving out|not counting|not including|other than|outside|outside of|apart from|aside from|leaving aside|ignoring|but not",
      { k: "neg", neg: "except" },
    ],
    ["each|every|for each|for every|of each|of every|per|in each|at each|from each|to each", { k: "each" }],
    ["by|broken down by|grouped by|split by", { k: "by" }],
    [
      "share|proportion|percentage|what percent|percent|fraction|share of|percentage of|proportion of|in percent|in percent of|how many percent",
      { k: "share" },
    ],
    ["different|distinct|unique", { k: "different" }],
    [
      "how much more|how much higher|how much less|how much lower|how much larger|how much fewer|how many more|how many fewer",
      { k: "more", kinds: null },
    ],
    ["difference|difference in|difference between", { k: "difference" }],
    ["than", { k: "than" }],
    ["compared with|compared to|versus|vs|against|and of|as opposed to", { k: "versus" }],
    ["called|named|by the name of", { k: "naming" }],
    ["a single|one single|single|individual", { k: "single" }],
    ["money|much money|how much money", { k: "money" }],
    ["and|as well as", { k: "and" }],
    ["or", { k: "or" }],
    ["still|yet", { k: "still" }],
    ["so far|to date", { k: "skip" }],
    ["late|too late|overdue|behind schedule", { k: "due", sign: ">" }],
    ["early|ahead of time", { k: "due", sign: "<" }],
    ["on time|punctually|in time", { k: "due", sign: "<=" }],
    ["on the due date|exactly on the due date|on their due date|on its due date", { k: "due", sign: "=" }],
    ["on the same day|the same day|on the day|on the very day", { k: "sameday" }],
    ["anything|anybody|anyone|ever|any time", { k: "any" }],
    [
      "pay|pays|paid|spend|spent|bring in|brings in|brought in|bring|brought|cost|costs|charge|charges|charged|give|gives|gave|given|take|takes|took|taken",
      { k: "pays" },
    ],
    ["shown|located|kept|stored|found|held|displayed|hanging|standing", { k: "lies" }],
    ["length of stay|stay|stayed|stays", { k: "duration" }],
    ["and by how much|by how much", { k: "byhowmuch" }],
    ["higher|lower|larger", { k: "more", kinds: null }],
    ["missing|unknown|empty|not known|not given|not recorded", { k: "missing" }],
    ["this year", { k: "this", unit: "year" }],
    ["month", { k: "bucket", bucket: "month" }],
    ["week", { k: "bucket", bucket: "week" }],
    ["quarter", { k: "bucket", bucket: "quarter" }],
    ["year", { k: "bucket", bucket: "year" }],
    ["day", { k: "bucket", bucket: "day" }],
    ["weekday|day of the week", { k: "bucket", bucket: "weekday" }],
    ["monthly", { k: "bucket", bucket: "month" }],
    ["days|nights", { k: "unit", unit: "day" }],
    ["weeks", { k: "unit", unit: "week" }],
    ["euros|euro|eur", { k: "unit", unit: "eur" }],
    ["dollars|usd", { k: "unit", unit: "usd" }],
    ["hectares|hectare|ha", { k: "unit", unit: "ha" }],
    ["minutes|minute|min", { k: "unit", unit: "min" }],
    ["hours|hour", { k: "unit", unit: "h" }],
    ["kilometres|kilometers|km", { k: "unit", unit: "km" }],
    ["metres|meters|m", { k: "unit", unit: "m" }],
    ["kilograms|kilos|kg", { k: "unit", unit: "kg" }],
    ["tons|tonnes|t", { k: "unit", unit: "t" }],
    ["grams|g", { k: "unit", unit: "g" }],
    ["percent", { k: "unit", unit: "percent" }],
  ] satisfies readonly (readonly [string, Sense])[]
).flatMap(([phrases, sense]) => phrases.split("|").map((phrase) => [phrase, sense] as const));

const ADJECTIVES = new Map<string, readonly string[]>(
  (
    [
      ["deep", "depth"],
      ["heavy", "weight mass"],
      ["tall high", "height"],
      ["long", LENGTHS],
      ["old", "age"],
      ["big large", AREAS],
      ["expensive dear", PRICES],
      ["strong", "strength abv alcohol"],
      ["fast", "speed"],
      ["far", "distance range"],
    ] as const
  ).flatMap(([words, kinds]) => words.split(" ").map((word) => [word, rootsOf(kinds)] as const)),
);

/** The names of columns that measure an adjective, such as `deep`, `heavy` or `old`; null for other words. */
export function kindsOf(adjective: string): readonly string[] | null {
  return ADJECTIVES.get(adjective.toLowerCase()) ?? null;
}

const BY_FIRST = new Map<string, { words: readonly string[]; sense: Sense }[]>();
for (const [phrase, sense] of PHRASES) {
  const words = phrase.split(" ");
  const first = words[0] ?? "";
  BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), { words, sense }]);
}

const WEEKDAYS = `sunday monday tuesday wednesday thursday friday saturday`.split(" ");

/** The meanings of the words from a token on, whatever the tables are about. */
export function generalAt(tokens: readonly Token[], at: number): readonly { sense: Sense; end: number }[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const phrases = (BY_FIRST.get(token.lower) ?? [])
    .filter(({ words }) => words.every((word, index) => tokens[at + index]?.lower === word))
    .map(({ words, sense }) => ({ sense, end: at + words.length }));
  const day = WEEKDAYS.indexOf(token.lower.replace(/s$/, ""));
  const weekday: Sense[] = day < 0 ? [] : [{ k: "weekday", days: [day] }];
  if (/^weekends?$/.test(token.lower)) weekday.push({ k: "weekday", days: [0, 6] });
  const number = numberIn(token);
  const found = [...phrases, ...weekday.map((sense) => ({ sense, end: at + 1 }))];
  if (number !== null) found.push({ sense: { k: "num", value: number }, end: at + 1 });
  if ((token.lower === "an" || token.lower === "a") && tokens[at + 1]?.lower === "hour")
    found.push({ sense: { k: "num", value: 1 }, end: at + 1 });
  return found;
}

function numberIn({ text, lower }: Token): number | null {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(",", ""));
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return numberOf(lower);
}

/** Synonyms between goals and tables. */
const SYNONYMS = [
  "customer client buyer",
  "student pupil learner",
  "employee staff worker colleague",
  "revenue turnover income takings earnings sales",
  "price cost",
  "rating score",
  "weight mass weigh",
  "vehicle car",
  "donor giver",
  "begin start",
  "destination to",
  "origin from",
].map((group) => new Set(rootsOf(group)));

/** Words that name sums of money and not rows, even in a table of sales. */
const MONEY = new Set(rootsOf("revenue turnover income takings earnings"));

export function isMoneyWord(root: string): boolean {
  return MONEY.has(root);
}

export function areSynonyms(one: string, other: string): boolean {
  return SYNONYMS.some((group) => group.has(one) && group.has(other));
}

/** Verbs for something changing hands. */
const TRADES = new Set(rootsOf("sell buy purchase order"));

export function isTrade(root: string): boolean {
  return TRADES.has(root);
}

/** Names of place columns. */
export const PLACES: ReadonlySet<string> = new Set(
  rootsOf(
    "room location place stage venue station city town address store hall shelf site office building depot warehouse desk area zone",
  ),
);

/** Countries by their adjectives. */
export const COUNTRIES = new Map(
  `german germany, dutch netherlands, french france, italian italy, spanish spain, irish ireland, british uk, english england, scottish scotland, polish poland, danish denmark,
   swedish sweden, norwegian norway, finnish finland, austrian austria, swiss switzerland, belgian belgium, portuguese portugal, greek greece, turkish turkey, czech czechia,
   american usa, canadian canada, japanese japan, chinese china, indian india, brazilian brazil, lithuanian lithuania, latvian latvia, estonian estonia, hungarian hungary, croatian croatia, slovenian slovenia`
    .split(",")
    .map((pair) => pair.trim().split(" ") as [string, string]),
);
