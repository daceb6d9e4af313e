/**
 * Phrases that our texts avoid, each with its replacement. A pattern is a regular expression that matches whole
 * words, ignoring case; a replacement lists the choices.
 */
export const TERMS: readonly (readonly [pattern: string, replacement: string])[] = [
  // Subjects that hide who acts.
  ["whoever", "the user, the caller, the client"],
  ["nobody", "no one, or name the subject"],
  ["somebody", "someone, or name the subject"],
  ["(?:any|every)body", "anyone, everyone, or name the subject"],
  ["that which", "name the subject"],
  ["(?:is|are|was|were) told", "receives, is sent"],

  // Phrases that are not idiomatic.
  ["at once", "immediately, or simultaneously"],
  ["anew", "again, or from scratch"],
  ["(?:goes|go|went) on", "continues, or resumes"],
  ["come(?:s)? to (?:its|an|their) end", "finishes"],
  ["(?:became|becomes|become) of", "happened to, happens to"],
  ["stands? in for", "replaces"],
  ["gives? up on", "abandons, or dead-letters"],
  ["mend(?:ed|s)?", "fix"],

  // One term for each concept.
  ["log facts?", "event"],
  ["passed over", "skipped"],
  ["verdicts?", "review"],
  ["critiques?", "review"],
  ["judge?ments?", "review"],
  ["joiners?", "synthesis"],
  ["(?<!/)\\bredriv(?:en|es|ing|e)\\b", "retry"],
  ["(?:succeeded|answered) in part", "partially succeeded"],
  ["offline models?", "demo model"],
];

/** The phrases that are always wrong in a comment, a test name or a program's text. */
export const CODE_TERMS: typeof TERMS = [
  ["nobody|somebody|anybody|everybody", "no one, someone, or name the subject"],
  ["whoever", "the user, the caller, the client"],
  ["at once", "immediately, or simultaneously"],
  ["anew", "again, or from scratch"],
  ["(?:goes|go|went|going) on(?! (?:about|to))", "continues, or resumes"],
  ["comes? to (?:its|an|their) end", "finishes"],
  ["(?:gives?|given|giving) up", "abandons, or dead-letters"],
  ["pass(?:es|ed) over", "skips"],
  ["acts? once", "runs at most once"],
  ["of (?:its|their) own(?! \\w)", "its own …, or a separate …"],
  ["strangers?", "untrusted, or another party"],
];
