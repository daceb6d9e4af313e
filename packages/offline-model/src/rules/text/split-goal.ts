/**
 * Splits a goal into clauses that can be handled separately: at sentences, then at `and` before a new question or
 * command. Quotations, addresses and numbers stay whole.
 */

const CLAUSES_MAX = 12;

const ASKING = "what|which|who|whom|whose|when|where|why|how";
const COMMANDS =
  "show|list|plot|chart|draw|visuali[sz]e|graph|write|save|store|export|compare|calculate|compute|find|search|" +
  "summari[sz]e|give|tell|explain|create|make|build|fetch|read|get|count|look|describe|research|produce|prepare|" +
  "draft|render|send|translate|report|rank|add|put|name|analy[sz]e|identify|collect|gather";

const RANKS =
  "top|bottom|best|worst|highest|lowest|largest|smallest|most|least|fastest|slowest|average|total";

/** `When did she visit us, and for what reason?`: the words after `and` are not an independent question. */
const ELLIPSIS =
  "(?:(?:in|for|at|on|by|from|with|to|of)\\s+(?:what|which)\\s+\\p{L}+(?:\\s+\\p{L}+)?|(?:what|which)\\s+\\p{L}+|(?:who|whom|when|where|why|how)(?:\\s+(?:many|much|often|long))?)";

// `highest and lowest` is one phrase, so a rank in front of `and` keeps the words that follow.
const NEXT_CLAUSE = new RegExp(
  `(?<!\\b(?:${RANKS}))` +
    `(?:\\s*[,;]\\s*(?:and\\s+)?(?:then\\s+|also\\s+)*|\\s+and\\s+(?:then\\s+|also\\s+)*|\\s+then\\s+(?:also\\s+)?)` +
    `(?!${ELLIPSIS}\\s*[?!.]?\\s*$)` +
    `(?=(?:in\\s+|for\\s+|to\\s+|by\\s+|of\\s+)?(?:${ASKING})\\b|(?:please\\s+)?(?:${COMMANDS})\\b` +
    `|(?:its|their)\\s+\\p{L}|(?:the\\s+)?(?:${RANKS}|number of)\\s+(?!first\\b)\\p{L})`,
  "giu",
);

const SENTENCE_END = /(?<=[?!])\s+|(?<=[\p{L}\p{N})"'’%])\.(?:\s+(?=\p{Lu}|\d)|\s*$)|\s*\n+\s*|\s*;\s*/u;

export function splitGoal(goal: string): readonly string[] {
  // Markup does not affect the request.
  const { text, restore } = hideQuotedParts(goal.replace(/[<‹]\s*\/?\s*[a-z_]{1,20}>/gi, "\n"));
  return text
    .split(SENTENCE_END)
    .flatMap((sentence) => sentence.split(NEXT_CLAUSE))
    .map((clause) => restore(clause).replace(/^(?:[\s,.;:]+|(?:and|then|also|but)\s+)+|[\s,;.]+$/giu, ""))
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, CLAUSES_MAX);
}

/** Replaces each indivisible part with a private-use character, so that cuts cannot fall inside. */
function hideQuotedParts(text: string): { text: string; restore: (clause: string) => string } {
  const hidden: string[] = [];
  const marked = text.replace(
    /https?:\/\/\S+|"[^"\n]{1,200}"|“[^”\n]{1,200}”|\b[\w-]+\.[a-z]{2,4}\b/giu,
    (part) => {
      if (hidden.length >= 1_000) return part;
      hidden.push(part);
      return String.fromCharCode(0xe000 + hidden.length - 1);
    },
  );
  const restore = (clause: string) =>
    clause.replace(/[\ue000-\ue3e7]/g, (mark) => hidden[mark.charCodeAt(0) - 0xe000] ?? "");
  return { text: marked, restore };
}
