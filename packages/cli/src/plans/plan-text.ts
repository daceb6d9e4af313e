/** Renders a plan as lines of text. */
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
 * `45%, 9 of 20 steps, about 12 s left`; empty while the plan has no steps.
 *
 * @param nowMs - By the server's clock; default: when the view was made.
 */
export function progressText(
  view: Pick<PlanView, "progress" | "endedAt" | "viewedAt">,
  nowMs = Number.NEGATIVE_INFINITY,
): string {
  const { done, total, percent } = view.progress;
  if (total === 0) return "";
  const leftMs = timeLeftMs(view, nowMs);
  return `${percent}%, ${done} of ${total} steps${leftMs === null ? "" : `, ${formatLeft(leftMs)}`}`;
}

/** Returns the reason why the plan as a whole is waiting; empty when it is not waiting. */
export function waitText(view: PlanView): string {
  return oneLine(whyPlanWaits(view).join("; "));
}

/** The frames of the spinner. */
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
/** How long each frame is shown. */
export const FRAME_MS = 100;

/**
 * Renders a step as one line: status, description, duration, then why it failed, what it waits for or which tools it is
 * calling.
 *
 * @param nowMs - By the server's clock: drives the elapsed time and the spinner of a running step. Without it, the time
 *   counts up to when the view was made, and the mark does not move.
 */
export function stepLine(view: PlanView, step: StepView, nowMs?: number): string {
  const { id, status, description, tool, error, reason } = step;
  const name = description === "" ? tool : description;
  const time = timeText(step, nowMs ?? madeMs(view));
  const took = time === undefined ? "" : ` ${styleText("dim", time)}`;
  const why =
    error?.message ?? reason ?? step.partial ?? whyWaiting(view, step, nowMs) ?? callsUnderWay(step) ?? "";
  const detail = why === "" ? "" : ` ${styleText(status === "failed" ? "red" : "dim", oneLine(why))}`;
  const mark = runs(step) && nowMs !== undefined ? spinnerAt(nowMs) : MARKS[status];
  return `${styleText(STYLES[status], mark)} ${id}  ${oneLine(name)}${took}${detail}`;
}

export function runs({ status }: Pick<StepView, "status">): boolean {
  return status === "running" || status === "reviewing";
}

/** Returns the open calls of an agent's turn: `turn 2: docs.search, http.fetch`. */
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

/** Renders the pending approvals, each with the command that decides it. */
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
      `    ${commandFor(choices, `${planId} ${approvalId}`)}`,
    ]);
}

function commandFor(choices: readonly string[], ids: string): string {
  if (choices.includes("answer")) return `${COMMAND} answer ${ids} "your answer"`;
  if (choices.includes("approve")) return `${COMMAND} approve ${ids}`;
  return `${COMMAND} approve ${ids} --happened (or --run-again, or ${COMMAND} reject ${ids})`;
}

/** Names the plan whose late effect this plan compensates, and the plans that compensate its own late effects. */
export function lateEffectLines({ effects, undoes }: Pick<PlanView, "effects" | "undoes">): string[] {
  const back =
    undoes === undefined
      ? []
      : [
          `compensates the late effect of ${undoes.stepId} of plan ${undoes.planId} (${undoes.deleted === true ? "deleted" : `${COMMAND} show ${undoes.planId}`})`,
        ];
  const forward = effects.flatMap(({ stepId, tool, followedUpBy }) =>
    followedUpBy === undefined
      ? []
      : [
          `late effect of ${stepId} (${tool}): compensated by plan ${followedUpBy} (${COMMAND} show ${followedUpBy})`,
        ],
  );
  return [...back, ...forward];
}

const PLAN_STEPS_MAX = 50;
const PLAN_ARGS_CHARS_MAX = 200;

/** Renders the steps that an approval of the plan would run, with their arguments and dependencies. */
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
  return more > 0 ? [...lines, `    and ${more} more steps (use --json to list them all)`] : lines;
}

/**
 * Renders the whole answer; control characters, which may come from untrusted text, are stripped.
 *
 * @param render - Renders the text of the answer, and strips the control characters from it; default: {@link plainLines}.
 */
export function answerText(
  { answer, reason, status }: Pick<PlanView, "answer" | "reason" | "status">,
  render: (text: string) => string = plainLines,
): string {
  const text = render(answer?.text ?? "");
  const label = statusLabel(status, answer?.status);
  if (status === "succeeded" && text !== "") return label === status ? text : `${text}\n\n${label}`;
  const why = reason === undefined ? label : `${label}: ${oneLine(reason)}`;
  // A goal that was never planned has no text but the reason.
  return text === "" || answer?.text === reason ? why : `${text}\n\n${why}`;
}

/** Returns text with its line ends, without other control characters. */
export function plainLines(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}
