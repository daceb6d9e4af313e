/** The words and phrases with which a clause asks something of a table, each as one kind of mark. */
import type { Unit } from "../data/calendar.ts";
import type { Mark } from "./marks.ts";

type Found = Pick<Mark, "letter"> & Partial<Mark>;
type Entry = readonly [RegExp, (text: string) => Found];

const phrase = (words: string, found: Found | ((text: string) => Found)): Entry => [
  new RegExp(`(?:${words})(?![\\p{L}\\p{N}])`, "iuy"),
  typeof found === "function" ? found : () => found,
];

const GROWING =
  "grew|grows?|grown|growing|growth(?: rate)?|increase[ds]?|increasing|rise[sn]?|rising|rose|change[ds]?|wuchs|gewachsen|wachstum";
const SHRINKING =
  "decline[ds]?|declining|decrease[ds]?|decreasing|drop(?:s|ped)?|fell|fall(?:s|en)?|shrank|shrunk|shrink";
/** What can follow a complete phrase: `sold the most` is complete, `sold the most units` is not. */
const ENDS =
  "(?=\\s*(?:$|[?.,!;]|(?:in|during|on|to|between|after|before|since|from|and|among|by|within|except|without|excluding)\\b))";

const ENTRIES: readonly Entry[] = [
  // Asking
  phrase("which|what|welche[rs]?", { letter: "W" }),
  phrase("how many|(?:total )?number of|count(?: of| up)?|wie viele", { letter: "H" }),
  phrase("(?:by )?how much|wie viel", { letter: "U" }),
  // Computing
  phrase("(?:grand )?total|sum(?: up)?(?: of)?|add up", { letter: "A", aggregate: "sum" }),
  // `What does it mean?` does not ask for an average.
  phrase("averages?|avg|(?<!\\b(?:do|does|did|you)\\b.*)mean|on average", {
    letter: "A",
    aggregate: "average",
  }),
  phrase("median", { letter: "A", aggregate: "median" }),
  phrase("minimum|min", { letter: "A", aggregate: "lowest" }),
  phrase("maximum|max", { letter: "A", aggregate: "highest" }),
  phrase("different|distinct|unique", { letter: "d" }),
  phrase(
    "(?:percentage )?share|percentage|percent|proportion|fraction|%|(?:by )?how many percent|by what percent(?:age)?",
    { letter: "K" },
  ),
  phrase(`(?:${GROWING})`, { letter: "Y", dir: "most" }),
  phrase(`(?:${SHRINKING})`, { letter: "Y", dir: "least" }),
  phrase(
    "year[- ](?:on|over)[- ]year|yoy|(?:than|from|against|with|to|over) (?:the )?(?:last|previous|prior) year|(?:than )?a year (?:ago|before|earlier)",
    { letter: "y" },
  ),
  phrase("difference|gap", { letter: "R" }),
  phrase("compare|compared|comparing|comparison|versus|vs\\.?|against", { letter: "r" }),
  phrase("more|fewer|less|higher|lower", (text) => ({
    letter: "Z",
    dir: /more|higher/i.test(text) ? "most" : "least",
  })),
  phrase("than", { letter: "t" }),
  // Ranking
  phrase(
    "most|highest|largest|biggest|greatest|top|best|strongest|leading|fastest|meisten|schnellsten|höchsten?",
    { letter: "S", dir: "most" },
  ),
  phrase("least|lowest|smallest|fewest|worst|bottom|weakest|slowest|poorest", { letter: "S", dir: "least" }),
  phrase("first|earliest", { letter: "S", dir: "least", byDate: true }),
  phrase("oldest", { letter: "S", dir: "least", byDate: true }),
  phrase("last|latest|newest|most recent", { letter: "S", dir: "most", byDate: true }),
  phrase("busiest", { letter: "S", dir: "most", readings: ["count"] }),
  phrase("quietest", { letter: "S", dir: "least", readings: ["count"] }),
  phrase(
    `(?:best|top)[- ]?sell(?:ing|ers?)|(?:sold|sells?|selling|sell) (?:the )?(?:best|most)${ENDS}|most[- ]sold`,
    { letter: "S", dir: "most", readings: ["pieces", "money"] },
  ),
  phrase(`worst[- ]?sell(?:ing|ers?)|(?:sold|sells?|sell) (?:the )?(?:worst|least)${ENDS}|least[- ]sold`, {
    letter: "S",
    dir: "least",
    readings: ["pieces", "money"],
  }),
  phrase("most (?:often|frequent(?:ly)?|common(?:ly)?)", { letter: "S", dir: "most", readings: ["count"] }),
  phrase("least (?:often|frequent(?:ly)?|common(?:ly)?)", { letter: "S", dir: "least", readings: ["count"] }),
  phrase("most popular", { letter: "S", dir: "most", readings: ["pieces", "count"] }),
  phrase("least popular", { letter: "S", dir: "least", readings: ["pieces", "count"] }),
  ...["second|2nd|runner[- ]?up", "third|3rd", "fourth|4th", "fifth|5th"].map((words, index) =>
    phrase(words, { letter: "O", number: index + 2 }),
  ),
  phrase(
    "(?:in )?descending(?: order)?|desc|(?:highest|largest|biggest|most|best|dearest|most expensive) first|from (?:the )?(?:highest|largest|most|biggest) to (?:the )?(?:lowest|smallest|least|fewest)",
    { letter: "v", dir: "most" },
  ),
  phrase(
    "(?:in )?ascending(?: order)?|asc|(?:lowest|smallest|fewest|least|worst|cheapest) first|from (?:the )?(?:lowest|smallest|least|fewest) to (?:the )?(?:highest|largest|most|biggest)",
    { letter: "v", dir: "least" },
  ),
  phrase("(?:sort(?:ed)?|ordered|rank(?:ed)?) by", { letter: "o" }),
  phrase("rank|ranking|sort", { letter: "n" }),
  // Grouping
  phrase(
    "(?:broken down|break(?: it)? down|(?<=\\bbreak .*)down|grouped|split) by(?: each)?|by(?: each)?|across|nach",
    {
      letter: "G",
    },
  ),
  phrase("(?:across|over|for|in|of|from|among) all(?: of)?(?: the| our)?(?= \\p{L})", { letter: "a" }),
  phrase("(?:for|in|of|on|from)? ?(?:each|every)(?: of the)?|per", { letter: "G", per: true }),
  phrase("monthly|over time|trends?|develop(?:ed|ment)?", { letter: "b", unit: "month" }),
  phrase("quarterly", { letter: "b", unit: "quarter" }),
  phrase("yearly|annual(?:ly)?", { letter: "b", unit: "year" }),
  phrase("weekly", { letter: "b", unit: "week" }),
  phrase("daily", { letter: "b", unit: "day" }),
  phrase("(?:days? of the week|weekdays?)", { letter: "B", unit: "weekday" }),
  phrase("(?:year|quarter|month|week|day)s?|half[- ]years?|dates?", (text) => ({
    letter: "B",
    unit: unitOf(text),
    plural: /s$/i.test(text),
  })),
  // Bounds
  phrase("(?:more|greater|larger|bigger|higher) than|over|above|exceed(?:s|ed|ing)?|in excess of|>", {
    letter: "C",
    sign: ">",
  }),
  phrase("at least|no(?:t)? (?:less|fewer) than|a minimum of|>=|≥", { letter: "C", sign: ">=" }),
  phrase("(?:less|fewer|smaller|lower) than|under|below|<", { letter: "C", sign: "<" }),
  phrase("at most|no(?:t)? more than|up to|a maximum of|<=|≤", { letter: "C", sign: "<=" }),
  phrase("exactly|equal(?:s| to)?|precisely|=", { letter: "C", sign: "=" }),
  phrase("between(?= [$€£]?\\d)|from(?= [$€£]?\\d)", { letter: "C", sign: "between" }),
  phrase("more expensive than|costing more than", { letter: "C", sign: ">", needs: "price" }),
  phrase("cheaper than|costing less than", { letter: "C", sign: "<", needs: "price" }),
  phrase("or (?:more|above|higher|over|greater)|and (?:above|up|over)", { letter: "c", sign: ">=" }),
  phrase("or (?:less|fewer|below|lower|under)|and (?:below|under)", { letter: "c", sign: "<=" }),
  // Leaving out
  phrase("without(?: any| a| an)?|no|zero|not any", { letter: "X", none: true }),
  phrase("(?:with|have|has|having|had|get|gets|got) (?:a|an|any|some)", { letter: "e" }),
  phrase(
    "except(?:ing)?(?: for)?|exclud(?:e|es|ing)|other than|apart from|aside from|besides|but(?: not)?|not(?: including| counting| in| from| on| at)?|leav(?:e|ing) out|ignor(?:e|ing)|omit(?:ting)?|outside(?: of)?|non(?=[ -])|save for|ohne|außer",
    { letter: "X" },
  ),
  phrase("neither", { letter: "X" }),
  phrase("never|not (?:yet )?(?:ever|yet)", { letter: "X", none: true }),
  // Joining
  phrase("nor", { letter: "|" }),
  phrase("and|&|as well as|plus|und", { letter: "&" }),
  phrase("or|oder", { letter: "|" }),
  [/[,;]/y, () => ({ letter: "," })],
  phrase("in total|all in all|in all|together|overall|altogether|combined", { letter: "g" }),
  // `competitors whose tent …`; at the start it asks for a person.
  phrase("so far|either|(?<=\\p{L} )whose|(?<=\\p{L} )where", { letter: "," }),
  phrase("(?:but )?(?:only|just|solely|exclusively)", { letter: "l" }),
  phrase(
    "(?:i would|i'd|we would|we'd) like(?: to (?:know|see|have))?|i (?:want|need)(?: to (?:know|see|have))?|find out|(?:can|could|would|will) you(?: please)?(?: (?:tell|show|give|find|list|work out|calculate|compute))?|(?:hi|hello|hey)(?: there)?|thanks|thank you|work out",
    { letter: "," },
  ),
  // Pointing back
  phrase("its|their|theirs|them|they|those|these|it", { letter: "J", text: "its" }),
  phrase("(?:that|this|the same|the winning|the leading)(?= \\p{L}+)", { letter: "j" }),
  phrase("sold|sells?|selling|ordered|bought|purchased|buys?|spend|spent|paid|pay", { letter: "s" }),
  phrase("who", { letter: "w" }),
  phrase("when", { letter: "q" }),
];

function unitOf(text: string): Unit {
  const word = text.toLowerCase();
  if (word.startsWith("half")) return "half";
  if (word.startsWith("date")) return "day";
  return (["year", "quarter", "month", "week"] as const).find((unit) => word.startsWith(unit)) ?? "day";
}

/** The longest phrase of the lexicon that begins at `at`. */
export function phraseAt(text: string, at: number): { readonly mark: Found; readonly end: number } | null {
  let best: { mark: Found; end: number } | null = null;
  for (const [pattern, build] of ENTRIES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0] === "" || (best !== null && at + match[0].length <= best.end)) continue;
    best = { mark: { text: match[0], ...build(match[0]) }, end: at + match[0].length };
  }
  return best;
}
