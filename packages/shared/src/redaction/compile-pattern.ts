/** Compiles operators' patterns with an engine that takes linear time for all patterns and texts. */
import { RE2JS } from "re2js";
import type { CompilePattern } from "./redaction-file.ts";

/** Of the compiled program: the maximum number of operations per character of a text. */
const INSTRUCTIONS_MAX = 1_000;

/**
 * Compiles a pattern in the syntax of RE2, which has no lookaround and no backreferences.
 *
 * @throws {Error} With the fault and what to write instead.
 */
export const compilePattern: CompilePattern = (pattern, { ignoreCase }) => {
  const compiled = compiledOf(pattern, ignoreCase);
  const size = compiled.programSize();
  if (size > INSTRUCTIONS_MAX) {
    throw new Error(
      `wanted a pattern of at most ${INSTRUCTIONS_MAX} instructions, got ${size}: use smaller repetitions {m,n}`,
    );
  }
  if (compiled.matcher("").find()) {
    throw new Error("wanted a pattern that finds at least one character, got one that finds the empty text");
  }
  return function* (text) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) yield { start: matcher.start(), end: matcher.end() };
    }
  };
};

function compiledOf(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `wanted a regular expression in RE2's syntax (no lookaround, no backreferences): ${reason}`,
      { cause },
    );
  }
}
