/** The terms of a ParallelQA question and the operations on them: as expressions, and as numbers. */
import type { ExpressionPart } from "./question.ts";

/** A quantity of an entity that a search finds. */
export type Entity = {
  readonly key: string;
  readonly quantity: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
};

export type Entities = ReadonlyMap<string, Entity>;

export type Term = {
  /** In the order in which they are looked up. */
  readonly entities: readonly Entity[];
  /** Absent when the quantity is used unchanged. Keys of entities represent their steps. */
  readonly expression?: readonly ExpressionPart[];
  readonly value: number;
  readonly description: string;
};

const TERM =
  /^(?<first>[a-z]\w*)(?:(?<change>[*/])(?<number>\d+(?:\.\d+)?)|(?<pair>[-:~+])(?<second>[a-z]\w*))?$/;

/**
 * Reads one term, such as `mariana*0.8` or `everest-k2`.
 *
 * @throws {RangeError} When it is unreadable or names an unknown entity.
 */
export function readTerm(text: string, entities: Entities): Term {
  const groups = TERM.exec(text)?.groups;
  if (groups === undefined) throw new RangeError(`cannot read the term ${text}`);
  const { first = "", second, change, number, pair } = groups;
  const one = entityOf(first, entities);
  if (change !== undefined && number !== undefined) return changed(one, change, Number(number));
  if (pair === "+" || entities.has(`${first}.area`)) {
    return density([first, ...(second === undefined ? [] : [second])], entities);
  }
  if (pair !== undefined && second !== undefined) return paired(one, entityOf(second, entities), pair);
  return { entities: [one], value: one.value, description: `${one.quantity} of ${one.name}` };
}

function changed(entity: Entity, change: string, number: number): Term {
  return {
    entities: [entity],
    expression: [{ step: entity.key }, ` ${change} ${number}`],
    value: change === "*" ? entity.value * number : entity.value / number,
    description: `changed ${entity.quantity} of ${entity.name}`,
  };
}

function paired(left: Entity, right: Entity, pair: string): Term {
  const [a, b] = [{ step: left.key }, { step: right.key }];
  const names = `${left.name} and ${right.name}`;
  const entities = [left, right];
  switch (pair) {
    case "-":
      return {
        entities,
        expression: ["abs(", a, " - ", b, ")"],
        value: Math.abs(left.value - right.value),
        description: `difference of ${names}`,
      };
    case ":":
      return {
        entities,
        expression: [a, " / ", b],
        value: left.value / right.value,
        description: `ratio of ${names}`,
      };
    default:
      return {
        entities,
        expression: ["(", a, " + ", b, ") / 2"],
        value: (left.value + right.value) / 2,
        description: `average of ${names}`,
      };
  }
}

/** People of some states over the area of all of them. */
function density(keys: readonly string[], entities: Entities): Term {
  const people = keys.map((key) => entityOf(key, entities));
  const areas = keys.map((key) => entityOf(`${key}.area`, entities));
  const sumOf = (parts: readonly Entity[]): ExpressionPart[] => [
    "(",
    ...parts.flatMap((part, index): ExpressionPart[] => [index === 0 ? "" : " + ", { step: part.key }]),
    ")",
  ];
  const total = (parts: readonly Entity[]): number => parts.reduce((sum, { value }) => sum + value, 0);
  return {
    entities: [...people, ...areas],
    expression: [...sumOf(people), " / ", ...sumOf(areas)],
    value: total(people) / total(areas),
    description: `population density of ${people.map(({ name }) => name).join(" and ")}`,
  };
}

function entityOf(key: string, entities: Entities): Entity {
  const entity = entities.get(key);
  if (entity === undefined) throw new RangeError(`nothing is known of ${key}`);
  return entity;
}

type Numeric = {
  readonly write: (terms: readonly ExpressionPart[][]) => ExpressionPart[];
  readonly value: (values: readonly number[]) => number;
};

const list = (terms: readonly ExpressionPart[][]): ExpressionPart[] =>
  terms.flatMap((term, index) => (index === 0 ? term : [", ", ...term]));
const call = (name: string, terms: readonly ExpressionPart[][]): ExpressionPart[] => [
  `${name}(`,
  ...list(terms),
  ")",
];
const between = (operator: string, terms: readonly ExpressionPart[][]): ExpressionPart[] =>
  terms.flatMap((term, index) => (index === 0 ? term : [operator, ...term]));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const [most, least] = [Math.max, Math.min].map((pick) => (values: readonly number[]) => pick(...values)) as [
  (values: readonly number[]) => number,
  (values: readonly number[]) => number,
];
const first = ([value = Number.NaN]: readonly number[]): number => value;

/** The operations on the terms when the answer is a number. */
export const ASKED: Readonly<Record<string, Numeric>> = {
  max: { write: (terms) => call("max", terms), value: most },
  min: { write: (terms) => call("min", terms), value: least },
  sum: { write: (terms) => between(" + ", terms), value: sum },
  mean: {
    write: (terms) => ["(", ...between(" + ", terms), `) / ${terms.length}`],
    value: (values) => sum(values) / values.length,
  },
  range: {
    write: (terms) => [...call("max", terms), " - ", ...call("min", terms)],
    value: (values) => most(values) - least(values),
  },
  ratio: {
    write: (terms) => [...call("max", terms), " / ", ...call("min", terms)],
    value: (values) => most(values) / least(values),
  },
  ends: {
    write: (terms) => ["(", ...call("max", terms), " + ", ...call("min", terms), ") / 2"],
    value: (values) => (most(values) + least(values)) / 2,
  },
  endsum: {
    write: (terms) => [...call("max", terms), " + ", ...call("min", terms)],
    value: (values) => most(values) + least(values),
  },
  subtract: {
    write: (terms) => between(" - ", terms),
    value: (values) => first(values) - sum(values.slice(1)),
  },
  divide: {
    write: (terms) => between(" / ", terms),
    value: (values) => first(values) / first(values.slice(1)),
  },
  apart: {
    write: (terms) => ["abs(", ...between(" - ", terms), ")"],
    value: (values) => Math.abs(first(values) - first(values.slice(1))),
  },
  stack: {
    write: (terms) => [...terms.slice(0, 1).flat(), " / ", ...call("min", terms.slice(1))],
    value: (values) => first(values) / least(values.slice(1)),
  },
};
