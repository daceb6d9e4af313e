/** A plan in lines of text. */
import type { PlanView, StepView } from "@planwright/plan";
import { decidersText } from "@planwright/plan/deciders-text";
import { originText } from "@planwright/plan/origin-text";
import { dependenciesOf } from "@planwright/plan/dependencies";
import { formatDuration, formatElapsed, formatLeft } from "@planwright/plan/amounts";
import { statusLabel } from "@planwright/plan/status-label";
import { timeLeftMs } from "@planwright/plan/time-left";
import { madeMs, whyPlanWaits, whyWaiting } from "@planwright/plan/why-waiting";
import { styleText } from "node:util";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND } from "../command-context.ts";

const MARKS: Readonly<Record<StepView["status"], string>> = {
  waiting: "·",
  "awaiting-approval": "?",
  queued: "◦",
  running: "▸",
  reviewing: "▸",
  succeeded: "✓",
  failed: "✗",
  skipped: "–",
  cancelled: "–",
};

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<StepView["status"], Style>> = {
  waiting: "dim",
  "awaiting-approval": "yellow",
  queued: "dim",
  running: "cyan",
  reviewing: "cyan",
  succeeded: "green",
  failed: "red",
  skipped: "dim",
  cancelled: "dim",
};

/**
 * `45 %, 9 of 20 steps, about 12 s left`.
 *
 * @param nowMs - By the server's clock; when the view was made without it.
 */
export function progressText(
  view: Pick<PlanView, "progress" | "endedAt" | "viewedAt">,
  nowMs = Number.NEGATIVE_INFINITY,
): string {
  const { done, total, percent } = view.progress;
  const leftMs = timeLeftMs(view, nowMs);
  return `${percent} %, ${done} of ${total} steps${leftMs === null ? "" : `, ${formatLeft(leftMs)}`}`;
}

/** What the plan as a whole waits for; empty while it is simply at work. */
export function waitText(view: PlanView): string {
  return oneLine(whyPlanWaits(view).join("; "));
}

/** Seen one after the other. */
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
/** How long each of them is seen. */
export const FRAME_MS = 100;

/**
 * One line for a step: how it stands, what it is, how long it took, why it failed, what it waits for or which tools it
 * calls.
 *
 * @param nowMs - By the server's clock: what the time of a running step counts to, and what turns its mark. Without it,
 *   the time counts to when the view was made, and the mark stands still.
 */
export function stepLine(view: PlanView, step: StepView, nowMs?: number): string {
  const { id, status, description, tool, error, reason } = step;
  const name = description === "" ? tool : description;
  const time = timeText(step, nowMs ?? madeMs(view));
  const took = time === undefined ? "" : ` ${styleText("dim", time)}`;
  const why =
    error?.message ?? reason ?? step.partial ?? whyWaiting(view, step, nowMs) ?? callsUnderWay(step) ?? "";
  const said = why === "" ? "" : ` ${styleText(status === "failed" ? "red" : "dim", oneLine(why))}`;
  const mark = runs(step) && nowMs !== undefined ? spinnerAt(nowMs) : MARKS[status];
  return `${styleText(STYLES[status], mark)} ${id}  ${oneLine(name)}${took}${said}`;
}

export function runs({ status }: Pick<StepView, "status">): boolean {
  return status === "running" || status === "reviewing";
}

/** The calls of an agent's turn that have no outcome yet: `turn 2: docs.search, http.fetch`. */
function callsUnderWay({ status, turns = [] }: StepView): string | undefined {
  const open = status === "running" ? turns.filter((turn) => turn.open === true) : [];
  const [first] = open;
  if (first === undefined) return undefined;
  return `turn ${first.turn}: ${open.map(({ tool }) => tool ?? "no tool").join(", ")}`;
}

function spinnerAt(nowMs: number): string {
  return SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? SPINNER[0];
}

function timeText(step: StepView, nowMs: number): string | undefined {
  if (step.durationMs !== undefined) return formatDuration(step.durationMs);
  if (step.startedAt === undefined || !runs(step)) return undefined;
  return formatElapsed(nowMs - Date.parse(step.startedAt));
}

/** What waits for a person, each with the command that decides it. */
export function approvalLines(view: PlanView): string[] {
  const { planId, approvals } = view;
  return approvals
    .filter(({ status }) => status === "pending")
    .flatMap(({ approvalId, kind, question, args, choices, argumentOrigins = [], ...deciders }) => [
      `${styleText("yellow", "?")} ${oneLine(question)}`,
      ...[decidersText(deciders)].flatMap((text) => (text === undefined ? [] : [`    ${oneLine(text)}`])),
      ...(kind === "plan" ? planLines(view) : []),
      ...(args === undefined ? [] : [`    ${oneLine(JSON.stringify(args)).slice(0, 400)}`]),
      ...argumentOrigins.map((origin) => `    ${origin.argument}: ${oneLine(originText(origin))}`),
      choices.includes("answer")
        ? `    ${COMMAND} answer ${planId} ${approvalId} "your answer"`
        : `    ${COMMAND} approve ${planId} ${approvalId}`,
    ]);
}

/** The plan whose late effect this one undoes, and the plans that undo its own late effects. */
export function lateEffectLines({ effects, undoes }: Pick<PlanView, "effects" | "undoes">): string[] {
  const back =
    undoes === undefined
      ? []
      : [
          `undoes the effect of ${undoes.stepId} of plan ${undoes.planId} (${undoes.deleted === true ? "deleted" : `planwright show ${undoes.planId}`})`,
        ];
  const forward = effects.flatMap(({ stepId, tool, followedUpBy }) =>
    followedUpBy === undefined
      ? []
      : [
          `late effect of ${stepId} (${tool}): undone by plan ${followedUpBy} (planwright show ${followedUpBy})`,
        ],
  );
  return [...back, ...forward];
}

const PLAN_STEPS_MAX = 50;
const PLAN_ARGS_CHARS_MAX = 200;

/** The steps that an approval of the plan lets run: what each one does, with which arguments, after which others. */
export function planLines({ steps }: Pick<PlanView, "steps">): string[] {
  const open = steps.filter(({ status }) => status === "awaiting-approval" || status === "waiting");
  const lines = open.slice(0, PLAN_STEPS_MAX).flatMap((step) => {
    const { id, tool, description, args } = step;
    const needed = dependenciesOf(step);
    const after = needed.length === 0 ? "" : styleText("dim", `  after ${needed.join(", ")}`);
    const what = description === "" ? "" : `  ${oneLine(description)}`;
    const given = oneLine(JSON.stringify(args)).slice(0, PLAN_ARGS_CHARS_MAX);
    return [`    ${id}  ${oneLine(tool)}${what}${after}`, `        ${styleText("dim", given)}`];
  });
  const more = open.length - PLAN_STEPS_MAX;
  return more > 0 ? [...lines, `    and ${more} more steps: show them with --json`] : lines;
}

/** The answer, its text in full; control characters of strangers are taken out of each line. */
export function answerText({
  answer,
  reason,
  status,
}: Pick<PlanView, "answer" | "reason" | "status">): string {
  const text = (answer?.text ?? "").split("\n").map(oneLine).join("\n");
  const label = statusLabel(status, answer?.status);
  if (status === "succeeded" && text !== "") return label === status ? text : `${text}\n\n${label}`;
  const why = reason === undefined ? label : `${label}: ${oneLine(reason)}`;
  // A plan that was never made has nothing to say but why.
  return text === "" || text === reason ? why : `${text}\n\n${why}`;
}
