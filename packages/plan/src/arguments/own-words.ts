/**
 * Separates the text that the plan's author wrote from the text that other steps' outputs inserted into it.
 *
 * `Sum up {{s1.output.text}}` reaches its tool as one text. A tool that passes it to a model has to keep the two
 * apart, because a step's output is untrusted.
 */
import { argumentsHash } from "../values/arguments-hash.ts";
import type { JsonObject } from "../values/json.ts";
import { TEMPLATE } from "../language/references.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";

/** The planned text by argument, with `{{…}}` in place of the outputs of other steps. */
export type Templates = Readonly<Record<string, string>>;

/** The text that replaced a reference. */
export type Insertion = {
  /** The reference as written between the braces. */
  readonly reference: string;
  readonly text: string;
};

/** The texts among a step's own arguments that refer to other steps; undefined if there are none. */
export function templatesOf(args: JsonObject): Templates | undefined {
  const found = Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" && referencesIn(value).length > 0 ? [[name, value] as const] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The templates in a step's work message. Only steps that call a model have them. */
export function templatesFor(plan: KnownPlan, entry: StepEntry): Templates | undefined {
  return entry.grant.modelTokens === undefined ? undefined : writtenTemplates(plan, entry);
}

/** The templates of a step's arguments; undefined when a reviewer edited the arguments. */
export function writtenTemplates(
  plan: KnownPlan,
  { step, approved }: Pick<StepEntry, "step" | "approved">,
): Templates | undefined {
  if (approved !== undefined) {
    const asked = plan.approvals.get(approved.approvalId);
    if (asked?.argsHash !== argumentsHash(approved.args)) return undefined;
  }
  return templatesOf(step.args);
}

/**
 * Returns the part of `text` that replaced each reference of `template`, in order.
 *
 * If an inserted text contains the literal text that follows it in the template, it appears to end early, and the rest is
 * assigned to the next reference. None of it is ever attributed to the template.
 */
export function insertionsIn(text: string, template: string): readonly Insertion[] {
  const references = referencesIn(template);
  if (references.length === 0) return [];
  const literals = template.split(TEMPLATE).filter((_part, index) => index % 2 === 0);
  const [first = "", ...between] = literals;
  const last = between.pop() ?? "";
  const insertions: Insertion[] = [];
  let from = first.length;
  const end = text.length - last.length;
  const fits = text.startsWith(first) && text.endsWith(last) && from <= end;
  for (const [index, literal] of fits ? between.entries() : []) {
    const to = text.indexOf(literal, from);
    if (to === -1 || to + literal.length > end) break;
    insertions.push({ reference: references[index] ?? "", text: text.slice(from, to) });
    from = to + literal.length;
  }
  if (!fits || insertions.length < between.length) return [{ reference: references.join(", "), text }];
  return [...insertions, { reference: references.at(-1) ?? "", text: text.slice(from, end) }];
}

function referencesIn(text: string): string[] {
  return text.includes("{{") ? Array.from(text.matchAll(TEMPLATE), ([, inside = ""]) => inside) : [];
}
