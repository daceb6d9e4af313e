/** Words with the same meaning in a question and in a passage: forms of one verb, close synonyms, and hyponyms. */

/** Forms that have too little in common with their word. */
const BASES = new Map(
  `lent lend, loan lend, loaned lend, sent send, bought buy, sold sell, sale sell, sales sell, kept keep, held hold, left leave, paid pay,
   took take, taken take, brought bring, began begin, begun begin, lost lose, loss lose, found find, met meet, made make, wrote write,
   written write, spoke speak, spoken speak, broke break, broken break, chose choose, chosen choose, choice choose, ate eat, eaten eat,
   wore wear, worn wear, stole steal, stolen steal, theft steal, grew grow, grown grow, growth grow, ran run, taught teach, fed feed,
   built build, drove drive, driven drive, gave give, given give, won win, spent spend, told tell, saw see, seen see, went go, gone go,
   came come, drew draw, drawn draw, hung hang, flew fly, flown fly, flight fly, flights fly, rose rise, risen rise, rode ride,
   ridden ride, slept sleep, caught catch, threw throw, thrown throw, fell fall, fallen fall, froze freeze, frozen freeze,
   dealt deal, swam swim, swum swim, forgot forget, forgotten forget, died die, death die, deaths die, permission permission,
   decision decide, decisions decide, children child, men man, women woman, feet foot, teeth tooth, mice mouse, geese goose,
   knives knife, shelves shelf, leaves leave, wolves wolf, loaves loaf, calves calf, usage use, proof prove, expiry expire, daily day, annual year, annually year`
    .split(/,\s+/)
    .map((pair) => pair.trim().split(" ") as [string, string]),
);

const ENDINGS = /(?:ations?|ments?|ings?|ions?|als?|ers?|ors?|ied|ed|ies|es|s|ly|e|y)$/;

/** The root that `refund`, `refunded` and `refunds`, or `approve` and `approval`, share. */
export function root(word: string): string {
  let left = BASES.get(word.toLowerCase()) ?? word.toLowerCase();
  for (let count = 0; count < 2 && left.length > 4; count++) {
    const shorter = left.replace(ENDINGS, "");
    if (shorter.length < 3 || shorter === left) break;
    left = shorter;
  }
  // `take` and `takes`: a word of four letters keeps its ending.
  return left.length > 3 ? left.replace(/[es]$/, "").replace(/([^aeiou])\1$/, "$1") : left.replace(/s$/, "");
}

const SYNONYMS = [
  "cost price pricing charge euro fee",
  "warranty guarantee",
  "leave vacation holiday",
  "weigh weight kg",
  "employee staff worker",
  "phone telephone",
  "allow possible permit",
  "cancel terminate quit",
  "start begin",
  "end finish",
  "buy purchase",
  "above over exceed",
  "below under",
  "include contain comprise cover",
  "absent missing",
  "worth value",
  "borrow lend",
  "rent hire",
  "collect fetch",
  "rise increase raise",
  "photo photograph picture",
  "child kid",
  "bike bicycle",
  "client customer",
  "guest visitor",
  "pupil student learner",
  "baggage luggage",
  "ill sick",
  "solve resolve",
  "repair fix mend",
  "rubbish waste trash garbage",
  "each every",
  "other another",
  "until till",
  "eat food",
  "medicine medication drug",
].map((group) => new Set(group.split(" ").map(root)));

/** What a word of a question can be in a passage, but not vice versa: a rule for all baggage applies to a bag. */
const NARROWER: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ["bag", "baggage luggage"],
      ["suitcase", "baggage luggage bag"],
      ["car", "vehicle"],
      ["van", "vehicle"],
      ["visit", "come"],
      ["mistake", "error"],
    ] as const
  ).map(([word, wider]) => [root(word), new Set(wider.split(" ").map(root))]),
);

/** Whether a word of a passage means a word of a question; both are roots. */
export function meansSame(asked: string, said: string): boolean {
  return (
    asked === said ||
    SYNONYMS.some((group) => group.has(said) && group.has(asked)) ||
    NARROWER.get(asked)?.has(said) === true
  );
}
