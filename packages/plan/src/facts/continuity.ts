/** The state of a plan as a page, for a reader who has to continue it and has no other context. */
import { isPending } from "../machine/approval/approval-transitions.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { type Fact, type FactRecord, factsOf } from "./fact-ledger.ts";

const SHOWN_STEPS_MAX = 500;
const SHOWN_CHARS_MAX = 400;

/** Returns a plan's `CONTINUITY.md`: Markdown, always the same for the same log. */
export function continuityOf(plan: KnownPlan): string {
  const { goal, revision, status, knowledge } = plan;
  const sections = [
    `# Continuity of plan ${plan.planId}`,
    `${statusLine(status, revision)} As of fact ${plan.seq}, ${plan.updatedAt}.`,
    section("Goal", [line(goal.goal)]),
    section(
      "Constraints",
      goal.constraints.map((constraint) => `- ${line(constraint)}`),
    ),
    section("Facts", factLines(plan)),
    section(
      "Open questions",
      knowledge.questions.toArray().map(({ question, stepId }) => `- ${line(question)} (from \`${stepId}\`)`),
    ),
    section("Steps", stepLines(plan)),
    section("Waiting for a person", approvalLines(plan)),
    section("Answer", answerLines(plan)),
  ];
  return `${sections.filter((one) => one !== "").join("\n\n")}\n`;
}

function statusLine(status: string, revision: number): string {
  const revised = revision === 0 ? "" : `, revised ${revision} ${revision === 1 ? "time" : "times"}`;
  return `Status: **${status}**${revised}.`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
}

function factLines(plan: KnownPlan): string[] {
  const facts = factsOf(plan);
  if (facts.length === 0) return [];
  const rows = facts.map(({ key, current, conflicts }: Fact) => {
    const others = conflicts.map((one) => `${cell(one)} (${one.confidence}, \`${one.stepId}\`)`).join("; ");
    return `| ${line(key)} | ${cell(current)} | ${current.confidence} | ${sourceOf(current)} | ${others} |`;
  });
  const { leftOut } = plan.knowledge;
  const note = leftOut === 0 ? [] : ["", `${leftOut} more could not be kept.`];
  return [
    "| fact | value | confidence | source | contradicted by |",
    "|---|---|---|---|---|",
    ...rows,
    ...note,
  ];
}

function cell({ value }: FactRecord): string {
  return line(String(value));
}

function sourceOf({ stepId, source, artifact }: FactRecord): string {
  const where = source === undefined ? "" : `, ${line(source)}`;
  return `\`${stepId}\`${artifact === undefined ? "" : `, artifact \`${artifact}\``}${where}`;
}

function stepLines({ steps }: KnownPlan): string[] {
  const entries = [...steps.values()].sort((left, right) => left.position - right.position);
  const shown = entries.slice(0, SHOWN_STEPS_MAX).map(stepLine);
  const left = entries.length - shown.length;
  return left === 0 ? shown : [...shown, `- and ${left} more`];
}

function stepLine({ step, state }: StepEntry): string {
  const what = step.description === "" ? step.tool : line(step.description);
  const done = state.status === "succeeded" ? "x" : " ";
  const why =
    state.status === "failed"
      ? `: ${line(state.error.message)}`
      : state.status === "skipped" || state.status === "cancelled"
        ? `: ${line(state.reason)}`
        : "";
  return `- [${done}] \`${step.id}\` ${what} (${state.status}${why})`;
}

function approvalLines(plan: KnownPlan): string[] {
  return [...plan.approvals.values()]
    .filter((approval) => isPending(plan, approval))
    .map(
      ({ approvalId, question, expiresAt }) => `- \`${approvalId}\`: ${line(question)} (until ${expiresAt})`,
    );
}

function answerLines({ conclusion, partialAnswer }: KnownPlan): string[] {
  const answer = conclusion?.answer ?? partialAnswer;
  return answer === undefined ? [] : [`${answer.status}: ${line(answer.text)}`];
}

/** Returns the text on one line with its Markdown escaped: goals, facts and errors are untrusted. */
function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  const short = flat.length <= SHOWN_CHARS_MAX ? flat : `${flat.slice(0, SHOWN_CHARS_MAX)}…`;
  return short.replaceAll(/[\\`*_[\]<>|#]/g, "\\$&");
}
