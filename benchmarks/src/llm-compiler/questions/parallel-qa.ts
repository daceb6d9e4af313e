/** ParallelQA: arithmetic with quantities that must be looked up. */
import {
  type Calculation,
  type ExpressionPart,
  Items,
  type Question,
  type Search,
  searchId,
  solutionLines,
} from "./question.ts";
import { ASKED, type Entities, type Entity, readTerm, type Term } from "./terms.ts";

export type ParallelQaFiles = {
  /** `parallelqa_dataset.json` */
  readonly dataset: string;
  /** `parallelqa_plans.txt` */
  readonly plans: string;
  /** `parallelqa_entities.tsv` */
  readonly entities: string;
};

/** @throws {RangeError} When a question has no separate line, or an unreadable one. */
export function readParallelQa(files: ParallelQaFiles): Question[] {
  const entities = readEntities(files.entities);
  const plans = new Map(
    solutionLines(files.plans).map((line) => {
      const [id = "", asked = "", terms = ""] = line.split("|").map((part) => part.trim());
      return [id, { asked, terms: terms.split(/\s+/).map((term) => readTerm(term, entities)) }];
    }),
  );
  return Items.parse(JSON.parse(files.dataset)).map(({ id, question, answer }) => {
    const plan = plans.get(id);
    if (plan === undefined) throw new RangeError(`question ${id} is not worked out`);
    return questionOf({ id, text: question, label: answer }, plan);
  });
}

function readEntities(text: string): Entities {
  return new Map(
    solutionLines(text).map((line) => {
      const [key = "", quantity = "", name = "", value = "", unit = ""] = line.split("\t");
      return [key, { key, quantity, name, value: Number(value), unit }];
    }),
  );
}

function questionOf(
  about: Pick<Question, "id" | "text" | "label">,
  { asked, terms }: { asked: string; terms: readonly Term[] },
): Question {
  const entities = [...new Set(terms.flatMap((term) => term.entities))];
  const stepOf = new Map(entities.map(({ key }, index) => [key, searchId(index)]));
  const inSteps = (part: ExpressionPart): ExpressionPart =>
    typeof part === "string" ? part : { step: stepOf.get(part.step) ?? part.step };
  const calculations: Calculation[] = [];
  const add = (calculation: Omit<Calculation, "id">): string => {
    const id = searchId(entities.length + calculations.length);
    calculations.push({ id, ...calculation });
    return id;
  };
  const steps = terms.map(({ entities: [only], expression, value, description }): ExpressionPart[] => {
    if (expression === undefined) return [inSteps({ step: only?.key ?? "" })];
    return [{ step: add({ description, expression: expression.map(inSteps), value }) }];
  });
  const common = { ...about, searches: entities.map(searchOf), calculations };
  if (asked === "most" || asked === "least") return { ...common, answer: nameOf(asked, terms) };

  const numeric = ASKED[asked];
  if (numeric === undefined) throw new RangeError(`question ${about.id} asks for ${asked}, which is unknown`);
  const value = numeric.value(terms.map((term) => term.value));
  if (steps.length === 1) throw new RangeError(`question ${about.id} has one term only`);
  const answerFrom = add({ description: `${asked} of these`, expression: numeric.write(steps), value });
  return { ...common, answerFrom, answer: String(value) };
}

/** The entity whose term is the largest or the smallest. */
function nameOf(asked: "most" | "least", terms: readonly Term[]): string {
  const sorted = terms.toSorted((left, right) => left.value - right.value);
  return (asked === "most" ? sorted.at(-1) : sorted[0])?.entities[0]?.name ?? "";
}

/** About as long as the start of an encyclopedia article. */
function searchOf({ name, quantity, value, unit }: Entity): Search {
  const text =
    `${name}. The ${quantity} of ${name} is ${value} ${unit}. This is the figure that most reference works give; ` +
    "older surveys differ from it by a few per cent, because they were made with other instruments and at other times. " +
    `The article on ${name} describes its discovery, its surroundings and what makes it remarkable among its kind.`;
  return { query: `${name} ${quantity} (${unit})`, text, value };
}
