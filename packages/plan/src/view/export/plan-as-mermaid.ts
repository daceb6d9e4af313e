import { dependenciesOf } from "../../language/dependencies.ts";
import type { PlanView } from "../plan-view.ts";
import type { StepView } from "../step-view.ts";

/** Mermaid itself refuses diagrams of more than 50,000 characters by default. */
const LABEL_CHARS_MAX = 80;

/** Fill, border and text of each status, readable on light and dark backgrounds. */
const COLOURS: Readonly<Partial<Record<StepView["status"], string>>> = {
  succeeded: "fill:#e2f5ec,stroke:#0a5c47,color:#0a5c47",
  running: "fill:#e8eeff,stroke:#2456e6,color:#1c46c4",
  reviewing: "fill:#e8eeff,stroke:#2456e6,color:#1c46c4",
  failed: "fill:#fdebec,stroke:#9a1c15,color:#9a1c15",
  "awaiting-approval": "fill:#fdf3df,stroke:#9b5e13,color:#7a480c",
};
const OTHER = "fill:#eef1f7,stroke:#616b7d,color:#465268";

/**
 * Draws the steps of a plan as a Mermaid flowchart: a node per step with its status as its class, an arrow per dependency,
 * a dotted one to a fallback.
 */
export function planAsMermaid({ steps }: Pick<PlanView, "steps">): string {
  // Mermaid has reserved words, and step ids may be any of them.
  const nodes = new Map(steps.map(({ id }, index) => [id, `n${index}`]));
  const statuses = [...new Set(steps.map(({ status }) => status))];
  const lines = [
    "flowchart LR",
    ...steps.map((step) => `  ${nodes.get(step.id)}["${labelOf(step)}"]:::${classOf(step.status)}`),
    ...steps.flatMap((step) => arrowsOf(step, nodes)),
    ...statuses.map((status) => `  classDef ${classOf(status)} ${COLOURS[status] ?? OTHER}`),
  ];
  return `${lines.join("\n")}\n`;
}

function arrowsOf(step: StepView, nodes: ReadonlyMap<StepView["id"], string>): string[] {
  const node = nodes.get(step.id);
  const before = dependenciesOf(step).flatMap((id) => nodes.get(id) ?? []);
  const fallback = step.fallback === undefined ? undefined : nodes.get(step.fallback);
  return [
    ...before.map((from) => `  ${from} --> ${node}`),
    ...(fallback === undefined ? [] : [`  ${node} -. "if it fails" .-> ${fallback}`]),
  ];
}

function labelOf({ id, description }: StepView): string {
  const said = description === "" ? id : `${id}: ${description}`;
  const text = said.length > LABEL_CHARS_MAX ? `${said.slice(0, LABEL_CHARS_MAX)}…` : said;
  // Escaped as Mermaid entities, so that no part of the text ends the label or is markup.
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[#"<>&;`*_[\]{}|\\]/g, (char) => `#${char.codePointAt(0)};`);
}

function classOf(status: StepView["status"]): string {
  return status.replaceAll("-", "_");
}
