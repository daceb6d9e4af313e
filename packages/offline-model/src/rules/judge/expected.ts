/** What a passage must contain besides the words, depending on the question. */

export const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|no|none|unlimited|free)\b/i;
/** An amount of money, or a share of it. */
const AMOUNT =
  /[€$£%]|\b(?:euros?|dollars?|pounds?|cents?|pence|eur|usd|gbp|percent|free|nothing|no (?:fee|charge|cost)|half)\b/i;
export const TIME = /\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/i;
const MONEY_NOUN =
  "\\b(?:fees?|costs?|prices?|charges?|surcharges?|deposits?|fines?|penalt(?:y|ies)|salar(?:y|ies)|wages?|rents?|allowances?)\\b";
export const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;
const WEEKDAY = /\b(?:sun|mon|tues|wednes|thurs|fri|satur)days?\b|\bweekends?\b/i;
const DURATION =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b).*\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/is;

/** A moment, a date, a period, or a condition: a number alone is none of these. */
export const MOMENT = new RegExp(
  [
    MONTH.source,
    WEEKDAY.source,
    DURATION.source,
    String.raw`\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm)\b|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b`,
    String.raw`\b(?:same|next|following|first|last|every|each|this|that|any) (?:\p{L}+ )?(?:days?|weeks?|months?|years?|nights?)\b`,
    String.raw`\b(?:(?:before|after)(?!\s*[.;,]|\s*$)|first|once|until|till|if|when|as soon as|during|between|daily|weekly|monthly|noon|midday|midnight)\b`,
    String.raw`\b(?:mornings?|afternoons?|evenings?|nights?|spring|summer|autumn|winter|sunrise|sunset|Christmas|Easter)\b`,
  ].join("|"),
  "isu",
);

/** What the passage must contain besides the words, depending on the question. */
export const EXPECTED: readonly (readonly [RegExp, RegExp])[] = [
  [/\bhow (?:fast|quick(?:ly)?|soon)\b|\bhow long\b(?!.*\b(?:kilomet|met|mile|cm\b|km\b))/i, DURATION],
  [
    /\bhow long\b.*\b(?:kilomet|met|mile|cm\b|km\b)/i,
    /\d.*(?:\b|\d)(?:mm|cm|m|km|miles?|(?:kilo|centi)?met(?:re|er)s?)\b/is,
  ],
  [/\b(?:what|which) day of the week\b|\b(?:what|which) weekdays?\b/i, WEEKDAY],
  [/\b(?:what|which) months?\b/i, MONTH],
  [/\b(?:what|which) days\b/i, new RegExp(`${WEEKDAY.source}|${MONTH.source}`, "i")],
  [
    /\b(?:what|which) (?:dates?|day (?:of the month|(?:do|does|is|are|can|may|must|should|will)))\b/i,
    new RegExp(
      `${WEEKDAY.source}|${MONTH.source}|\\b\\d{1,2}(?:st|nd|rd|th)\\b|\\b(?:first|second|third|fourth|fifth|sixth|tenth|last)\\b`,
      "i",
    ),
  ],
  [
    /\b(?:what|which) time\b/i,
    /\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m|p\.m|o'clock)|\b(?:noon|midnight|midday)\b/i,
  ],
  [/\bwhat amount\b/i, NUMBER],
  [
    /\b(?:what|which) languages?\b/i,
    /\b(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Polish|Welsh|Irish|Danish|Swedish|Norwegian|Finnish|Czech|Greek|Turkish|Arabic|Hindi|Chinese|Japanese|Korean|Russian|Ukrainian)\b/,
  ],
  [/\bhow heavy\b|\bweighs?\b|\bweight\b/i, /\d\s?(?:k?g|grams?|kilos?|kilograms?|tons?)\b/i],
  [new RegExp(`\\bhow high\\b.*${MONEY_NOUN}`, "i"), AMOUNT],
  [
    new RegExp(`\\bhow (?:wide|tall|deep|thick|high(?!.*${MONEY_NOUN}))\\b`, "i"),
    /\d.*(?:\b|\d)(?:mm|cm|m|metres?|meters?|km|inch(?:es)?)\b/is,
  ],
  [
    /\bhow (?:large|big)\b/i,
    /\d.*(?:\b|\d)(?:mm|cm|m|metres?|meters?|km|litres?|liters?|inch(?:es)?)\b|\bsizes?\b/is,
  ],
  [
    /\bhow old\b|\b(?:what|which) age\b/i,
    /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|eighteen|hundred) (?:\p{L}+ )?(?:years?|months?)\b|\b(?:born|built|founded|made|established|since|dates?|dating|from|opened)\b[^.;]*\b(?:1\d|20)\d\d\b|\b(?:age|aged|under|over|at least|from)\b[^.;]*(?:\d|\b(?:five|six|seven|eight|nine|ten|eleven|twelve)\b)|\d+ or (?:older|over|younger)/iu,
  ],
  [/\bhow (?:hot|cold|warm)\b|\b(?:what|which) temperature\b/i, /\bdegrees?\b|°/i],
  [/\bhow far\b(?! (?:in advance|ahead))/i, /\d.*\b(?:km|kilomet(?:re|er)s?|metres?|meters?|miles?)\b/is],
  [
    /\bhow often\b/i,
    /\b(?:once|twice|times?|attempts?|dai|week|month|year|annual)(?:ly)?\b|\b(?:each|every|per|an?) (?:\p{L}+ )?(?:days?|weeks?|months?|years?|hours?|nights?)\b|\b(?:always|never|regularly|every)\b/iu,
  ],
  [
    /\bhow much (?:is|are|was|were)\b|\bwhat (?:do|does|did|must|should|will)\b.*\b(?:costs?|pays?|charged?)\b/i,
    /[€$£%]|\b(?:euros?|dollars?|pounds?|cents?|pence|eur|usd|gbp|percent|free|nothing|no|half|rate)\b|\b\d+ (?:kg|g|ml|litres?|grams?)\b/i,
  ],
  [/\bhow (?:much|many|expensive)\b/i, NUMBER],
  [/\bhow much money\b/i, AMOUNT],
  [
    new RegExp(`^\\s*what (?:is|are|was|were) (?:the|our|your) (?:[\\p{L}-]+ ){0,2}${MONEY_NOUN}`, "iu"),
    NUMBER,
  ],
  [
    /\bhow (?:much|expensive)\b.*\b(?:fees?|costs?|prices?|charges?|charged?|deposits?|fines?|pays?|paid|salary|wages?)\b/i,
    AMOUNT,
  ],
  [new RegExp(`^\\s*(?:the )?(?:[\\p{L}-]+ )?${MONEY_NOUN} (?:of|for|to|per)\\b`, "iu"), AMOUNT],
  [
    /\bminimum\b/i,
    /\b(?:minimum|at least|no (?:less|fewer|younger|shorter) than|or (?:older|more|over)|and (?:over|older))\b/i,
  ],
  [
    /\bmaximum\b/i,
    /\b(?:maximum|at most|up to|no (?:more|longer|older) than|not (?:exceed|more)|never|limit(?:ed)?|or (?:less|fewer|younger))\b/i,
  ],
  [/\b(?:minimum|maximum)\b/i, NUMBER],
  [/\b(?:what|which) (?:percentage|percent|share|proportion)\b/i, /%|\bpercent\b/i],
  [
    /\bwhat (?:do|does|did)\b.*\b(?:say|mean|read)\s*\?*\s*$/i,
    /["“”]|\b(?:says?|said|reads?|means?|meant|stands? for)\b/i,
  ],
  [/\bwhen\b/i, MOMENT],
  [/\bwhy\b/i, /\b(?:because|since|so that|due to|reason)\b|,\s+for\s/i],
];
