import { z } from "zod";
import { defineTool, type Tool } from "./define-tool.ts";
import { PermanentError } from "@planwright/shared/errors";
import { type Expression, Parser, type Values } from "expr-eval-fork";

const NUMBERS_MAX = 10_000;
const NUMERAL = /^\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/;

/** Numbers inside a string, as templates produce them, count as numbers. */
const Numeric = z.union([z.number(), z.string().max(100).regex(NUMERAL).transform(Number), z.boolean()]);

/** Exact arithmetic, so that models do not have to calculate. */
export function mathEvaluate(): Tool {
  return defineTool({
    name: "math.evaluate",
    description:
      "Calculate one arithmetic expression exactly; never let a model calculate. Operators: + - * / ^ % (remainder), comparisons, and, or, not, c ? a : b. Functions: round(x), roundTo(x, digits), abs, sqrt, ln, log10, exp, min, max, sum(list), mean(list), length(list). Constants: PI, E. " +
      'Example: {"expression": "roundTo((new - old) / old * 100, 1)", "variables": {"old": {"$ref": "s1.output.value"}, "new": 12}}. ' +
      "Output: {value}.",
    input: z.strictObject({
      expression: z.string().trim().min(1).max(EXPRESSION_CHARS_MAX).describe("The expression."),
      variables: z
        .record(
          z.string().regex(/^[A-Za-z_]\w{0,63}$/),
          z.union([Numeric, z.array(Numeric).max(NUMBERS_MAX)]),
        )
        .describe("A number or list of numbers for each name in the expression.")
        .optional(),
    }),
    output: z.object({
      value: z.union([z.number(), z.boolean(), z.array(z.union([z.number(), z.boolean()]))]),
    }),
    risk: "low",
    effect: "read",
    light: true,
    timeoutMs: 10_000,
    untrusted: false,
    run: async ({ expression, variables = {} }) => ({ value: evaluateExpression(expression, variables) }),
  });
}

/** Limits of the calculator: it has no memory and no custom functions, and must answer quickly. */
const EXPRESSION_CHARS_MAX = 2_000;
const LIST_MAX = 10_000;
const DEPTH_MAX = 100;

type Variable = number | boolean | readonly (number | boolean)[];
type Calculated = number | boolean | (number | boolean)[];

/**
 * Evaluates an expression. The same expression always has the same value.
 *
 * @throws {PermanentError} `invalid_expression` when it cannot be parsed, uses an unknown name, or has no finite value.
 */
function evaluateExpression(expression: string, variables: Readonly<Record<string, Variable>>): Calculated {
  checkDepth(expression);
  const parser = createParser();
  const scope = createScope(parser, variables);
  try {
    const parsed = parser.parse(expression);
    checkNames(parsed, scope);
    return toCalculated(parsed.evaluate(scope));
  } catch (error) {
    if (error instanceof PermanentError) throw error;
    throw invalid(`cannot calculate ${JSON.stringify(expression.slice(0, 200))}: ${describe(error)}`);
  }
}

/** The parser recurses for every opening bracket. */
function checkDepth(expression: string): void {
  let depth = 0;
  for (const char of expression) {
    if (char === "(" || char === "[") depth += 1;
    if (char === ")" || char === "]") depth -= 1;
    if (depth > DEPTH_MAX)
      throw invalid(`the expression is nested too deeply: the limit is ${DEPTH_MAX} brackets`);
  }
}

function createParser(): Parser {
  const parser = new Parser({
    allowMemberAccess: false,
    // Definitions could recurse forever; random numbers would differ at the next attempt.
    operators: { assignment: false, fndef: false, random: false, concatenate: false, in: false },
  });
  const { roundTo }: Record<string, unknown> = z.record(z.string(), z.unknown()).parse(parser.functions);
  const functions: Readonly<Record<string, unknown>> = {
    roundTo,
    hypot: Math.hypot,
    atan2: Math.atan2,
    pow: Math.pow,
    if: (condition: unknown, yes: unknown, no: unknown) => (condition ? yes : no),
    min: (...values: unknown[]) =>
      numbersIn(values).reduce((least, value) => Math.min(least, value), Infinity),
    max: (...values: unknown[]) =>
      numbersIn(values).reduce((most, value) => Math.max(most, value), -Infinity),
    sum: (...values: unknown[]) => sum(numbersIn(values)),
    mean: (...values: unknown[]) => {
      const numbers = numbersIn(values);
      return sum(numbers) / numbers.length;
    },
  };
  // Names are looked up with `in`, so inherited ones must not be found.
  Object.setPrototypeOf(functions, null);
  parser.functions = functions;
  return parser;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function numbersIn(values: readonly unknown[]): readonly number[] {
  return values.flat().map((value) => {
    if (typeof value === "number" || typeof value === "boolean") return Number(value);
    throw invalid("wanted numbers or lists of numbers");
  });
}

function createScope(parser: Parser, variables: Readonly<Record<string, Variable>>): Values {
  const reserved = [parser.functions, parser.unaryOps, parser.consts].map((group: unknown) =>
    z.record(z.string(), z.unknown()).parse(group),
  );
  const scope: Values = {};
  Object.setPrototypeOf(scope, null);
  for (const [name, value] of Object.entries(variables)) {
    if (reserved.some((group) => Object.hasOwn(group, name))) {
      throw invalid(`variables.${name}: is the name of a function or constant, choose another`);
    }
    // The package's type does not allow lists and booleans, but its evaluation supports them.
    scope[name] = value as unknown as number;
  }
  return scope;
}

function checkNames(parsed: Expression, scope: Values): void {
  const missing = parsed.variables().filter((name) => !Object.hasOwn(scope, name));
  if (missing.length === 0) return;
  const given = Object.keys(scope);
  throw invalid(
    `the expression names ${missing.join(", ")}, but variables has ${given.length === 0 ? "none" : given.join(", ")}`,
  );
}

function toCalculated(value: unknown): Calculated {
  if (Array.isArray(value)) {
    if (value.length > LIST_MAX)
      throw invalid(`the result has ${value.length} values, the limit is ${LIST_MAX}`);
    return value.map(toScalar);
  }
  return toScalar(value);
}

function toScalar(value: unknown): number | boolean {
  if (typeof value === "boolean") return value;
  if (typeof value !== "number") throw invalid(`wanted a number as the result, got ${typeof value}`);
  if (Number.isNaN(value))
    throw invalid("the result is not a number, as with 0 / 0 or the root of a negative number");
  if (!Number.isFinite(value))
    throw invalid("the result is infinite: a division by zero, or too large a number");
  return value;
}

/** Explains in plain words where an expression is wrong: the parser's own message names token types. */
function describe(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (said === "unexpected TEOF: EOF") return "the expression ends where a value should follow";
  return said
    .replace(/^unexpected T[A-Z]+: (.*)$/, 'unexpected "$1"')
    .replace(/^parse error \[(\d+):(\d+)\]: Expected EOF$/, "the expression should end at line $1, column $2")
    .replace(/^parse error \[(\d+):(\d+)\]: Expected (.*)$/, '"$3" is missing at line $1, column $2')
    .replace(/^parse error \[(\d+):(\d+)\]: (.*)$/, "$3 at line $1, column $2");
}

function invalid(message: string): PermanentError {
  return new PermanentError(message, { code: "invalid_expression" });
}
