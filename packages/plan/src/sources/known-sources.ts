/** The sources that the answer of a plan can cite: everything that its steps have seen. */
import type { Json } from "../values/json.ts";
import type { StepId } from "../values/ids.ts";
import { succeededSteps } from "../machine/ending/partial-answer.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

export type KnownSources = {
  /** Steps that have a result. */
  readonly steps: ReadonlySet<string>;
  /** Whether a URL, or the name of a document or file, appears in the goal, in a call or in an output. */
  readonly mentions: (name: string) => boolean;
  /**
   * Whether the goal or an output contains the word inside a sentence, or as a whole value: then its capital is not due to a
   * sentence start.
   */
  readonly isName: (word: string) => boolean;
};

/** A capitalized word inside a sentence, or one that is a whole value and not a title. */
const NAME =
  /[\p{Ll},] (\p{Lu}[\p{L}\p{N}'’-]*)|(?<!"(?:title|heading|label|type|status)":)"(\p{Lu}[\p{L}\p{N}'’-]*)"/gu;

/**
 * The sources of a plan's results.
 *
 * @param loaded - The contents of outputs that are stored as artifacts, by name. While an output is not completely known, it may
 *   contain any name, and all count as mentioned.
 */
export function knownSources(
  plan: Pick<KnownPlan, "steps" | "goal" | "artifacts">,
  loaded: ReadonlyMap<string, Json>,
): KnownSources {
  const texts: string[] = [plan.goal.goal, ...plan.goal.constraints];
  const steps = new Set<StepId>();
  let isWhole = true;
  for (const { name } of plan.artifacts) texts.push(name);
  for (const { step, state } of succeededSteps(plan)) {
    if (state.status !== "succeeded") continue;
    steps.add(step.id);
    texts.push(step.tool, JSON.stringify(step.args));
    const { output } = state;
    if ("value" in output) texts.push(textOf(output.value));
    else {
      const content = loaded.get(output.artifact.name);
      isWhole &&= content !== undefined;
      texts.push(output.artifact.name, content === undefined ? output.preview : textOf(content));
    }
  }
  const said = texts.join("\n");
  const all = said.toLowerCase();
  let names: ReadonlySet<string> | undefined;
  return {
    steps,
    mentions: (name) => !isWhole || all.includes(name.toLowerCase()),
    isName(word) {
      names ??= new Set(Array.from(said.matchAll(NAME), ([, within, whole]) => within ?? whole ?? ""));
      return names.has(word);
    },
  };
}

/** Text unchanged; other values as JSON, in which only quotes and line breaks look different. */
function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
