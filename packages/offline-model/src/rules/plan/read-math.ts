/** Arithmetic in a clause: `12.5 * (3 + 4)`, `15% of 240`, `multiply 6 by 7`, `the square root of 2`, `the average of 3, 5 and 10`. */

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;

/** Commands as the expressions that they ask for. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [command("multiply # (?:by|with|and) #"), "$1 * $2"],
  [command("divide # by #"), "$1 / $2"],
  [command("subtract # from #"), "$2 - $1"],
  [command("(?:the )?difference between # and #"), "abs($1 - $2)"],
  [command("add(?: up)? # to #"), "$1 + $2"],
  [command("add(?: up)? #(?=(?: and|,) )"), "sum of $1"],
  [command("(?:double|twice) #"), "2 * $1"],
  [command("(?:triple|three times) #"), "3 * $1"],
  [command("half(?: of)? #"), "$1 / 2"],
];

/** @param pattern - The words of a command, with `#` for each number. */
function command(pattern: string): RegExp {
  return new RegExp(`\\b${pattern.replaceAll(" ", "\\s+").replaceAll("#", `(${NUMBER})`)}(?![\\d%])`, "giu");
}

/** A command that has not become an expression asks for more than this module reads. */
const UNREAD = /\b(?:add|subtract|multiply|divide|double|twice|triple|half)\b/i;

const WORD_OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:multiplied by|times)\b|×|(?<=\d\s*)\bx\b(?=\s*\d)/giu, "*"],
  [/\b(?:divided by|over)\b|÷/giu, "/"],
  [/\b(?:to the power of|raised to(?: the)?)\b|\*\*/giu, "^"],
  [/\bsquared\b|²/giu, "^2"],
  [/\bcubed\b|³/giu, "^3"],
  [/\bplus\b/giu, "+"],
  [/\bminus\b|−/giu, "-"],
  [/\b(?:the )?(?:square root|sqrt) of\s+(\d[\d.]*)/giu, "sqrt($1)"],
];

const EXPRESSIONS_MAX = 8;

/** The expressions, ready for a calculator; empty when the clause is not arithmetic. */
export function readMath(clause: string): readonly string[] {
  const figures = clause.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  if (!isOnlyMath(figures)) return [];
  const plain = COMMANDS.reduce((text, [words, sum]) => text.replace(words, sum), figures);
  if (UNREAD.test(plain)) return [];
  const whole = listMath(plain) ?? percentMath(plain);
  return whole === null ? expressionsIn(plain) : [whole];
}

/** Words beside the numbers that change nothing. Any other word describes what the numbers are of. */
const MATH_WORDS = new Set(
  `what what's is are was the a an of to and or by in then also please can could you me us i we want need know tell give show find work out how much many
   calculate compute evaluate solve add up subtract multiply divide double twice three triple half result value answer equal equals number expression it's that
   average mean sum total product minimum maximum smallest largest difference between percent multiplied times divided over power raised squared cubed
   plus minus square root sqrt abs x euro euros dollar dollars eur usd from with using calculator decimal places rounded round`.match(
    /\S+/g,
  ),
);

/** `The moisture of batch B24-053` is not arithmetic, whatever its code looks like. */
function isOnlyMath(clause: string): boolean {
  const words = clause.match(/[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_'’]*/gu) ?? [];
  return words.every((word) => MATH_WORDS.has(word.toLowerCase()));
}

function percentMath(clause: string): string | null {
  const of = new RegExp(String.raw`(${NUMBER})\s*(?:%|percent)\s+of\s+(${NUMBER})(?![\d%])`, "i").exec(
    clause,
  );
  return of === null ? null : `${of[1]} / 100 * ${of[2]}`;
}

function listMath(clause: string): string | null {
  const found =
    /\b(average|mean|sum|total|product|minimum|maximum|smallest|largest)\s+of\s+((?:-?\d+(?:\.\d+)?(?:\s*,\s*(?:and\s+)?|\s+and\s+)){1,99}-?\d+(?:\.\d+)?)/i.exec(
      clause,
    );
  if (found === null) return null;
  const numbers = (found[2] ?? "").match(/-?\d+(?:\.\d+)?/g) ?? [];
  switch (found[1]?.toLowerCase()) {
    case "product":
      return numbers.join(" * ");
    case "average":
    case "mean":
      return `(${numbers.join(" + ")}) / ${numbers.length}`;
    case "minimum":
    case "smallest":
      return `min(${numbers.join(", ")})`;
    case "maximum":
    case "largest":
      return `max(${numbers.join(", ")})`;
    default:
      return numbers.join(" + ");
  }
}

function expressionsIn(clause: string): readonly string[] {
  const symbols = WORD_OPERATORS.reduce((text, [words, symbol]) => text.replace(words, symbol), clause);
  const candidates = symbols.match(/(?:sqrt\(|abs\(|[\d(.+-])(?:[\d\s.+\-*/^%()]|sqrt\(|abs\()*[\d)]/g) ?? [];
  const sums = candidates
    .map((candidate) => candidate.trim())
    .filter((candidate) => isSum(candidate, symbols));
  return [...new Set(sums)].slice(0, EXPRESSIONS_MAX);
}

/** Needs two numbers and an operator between them; dates, phone numbers and ranges are not arithmetic. */
function isSum(text: string, clause: string): boolean {
  if (!/\d\)*\s*[-+*/^%]\s*[-+(]*\s*(?:\d|sqrt|abs)|^-?sqrt\(/.test(text) || !isBalanced(text)) return false;
  if (/^\d{1,4}[-/]\d{1,4}([-/]\d{1,4})?$/.test(text))
    return /\b(calculate|compute|what is|what's|how much)\b/i.test(clause);
  return !/^[\d-]+$/.test(text) || / - /.test(text);
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
