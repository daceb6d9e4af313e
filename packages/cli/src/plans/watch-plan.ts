/** Follows a plan until it ends: live on a terminal, line by line for programs. */
import type { Planwright, PlanView, Accepted } from "@planwright/client";
import { statusLabel, isRefusal } from "@planwright/plan/status-label";
import { madeMs } from "@planwright/plan/why-waiting";
import { setTimeout as delay } from "node:timers/promises";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import type { Output } from "../output/create-output.ts";
import { approvalLines, FRAME_MS, progressText, runs, stepLine } from "./plan-text.ts";
import { shownAnswer } from "./show-answer.ts";
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

const STEPS_SHOWN = 12;
/** The shortest pause between two reads of the plan, regardless of how many events arrive. */
const READ_EVERY_MS = 200;
/** About a minute, with pauses that grow to 10 s. */
const RETRIES = 11;

type Watch = {
  readonly client: Planwright;
  readonly output: Output;
  readonly planId: string;
  /** Start after this event. */
  readonly after: number;
  /** Keep waiting while approvals are pending, even when the output is not a terminal. */
  readonly waits: boolean;
};

/** @returns The exit code. */
export async function watchPlan(watch: Watch): Promise<ExitCode> {
  const detaching = new AbortController();
  const detach = () => detaching.abort(new CliError(EXIT.detached, detachedText(watch.planId)));
  process.once("SIGINT", detach);
  try {
    return await (watch.output.kind === "json"
      ? printEvents(watch, detaching.signal)
      : showPlan(watch, detaching.signal));
  } catch (error) {
    // Do not report an error that was caused by detaching.
    detaching.signal.throwIfAborted();
    throw error;
  } finally {
    process.off("SIGINT", detach);
  }
}

function detachedText(planId: string): string {
  return `detached; the plan continues. Watch it again with: ${COMMAND} watch ${planId}`;
}

/** Prints each event as a line of JSON. */
async function printEvents(watch: Watch, signal: AbortSignal): Promise<ExitCode> {
  for await (const { seq, event } of watch.client.plans.events(watch.planId, {
    after: watch.after,
    signal,
  })) {
    watch.output.record({ seq, event });
    if (event.type === "approval.requested" && !watch.waits) {
      const view = await readPatiently(watch, signal);
      if (view.status === "awaiting-approval") return EXIT.needsApproval;
    }
  }
  return exitCodeOf(await readPatiently(watch, signal));
}

/** Reads the plan; waits for a gateway that is restarting, as the event stream does. */
function readPatiently({ client, planId }: Watch, signal: AbortSignal): Promise<PlanView> {
  return client.plans.get(planId, { signal, maxRetries: RETRIES });
}

async function showPlan(watch: Watch, signal: AbortSignal): Promise<ExitCode> {
  const { client, output, planId } = watch;
  const block = createLiveBlock(output);
  const isLive = output.kind === "terminal";
  let view = await client.plans.get(planId);
  let readMs = performance.now();
  // This machine's clock may be wrong: time counts from when the gateway made the view.
  const serverNow = () => madeMs(view) + performance.now() - readMs;
  const show = () => block.show(linesOf(view, isLive ? serverNow() : undefined));
  show();
  const spinning = isLive ? setInterval(() => view.steps.some(runs) && show(), FRAME_MS) : undefined;
  const stopsHere = () => isBlocked(view) && !watch.waits && output.kind === "plain";
  try {
    if (!view.ended && !stopsHere()) {
      for await (const { seq } of client.plans.events(planId, { after: view.seq, signal })) {
        // The view that was read last already contains events up to its `seq`.
        if (seq <= view.seq) continue;
        await delay(Math.max(0, readMs + READ_EVERY_MS - performance.now()), undefined, { signal });
        view = await readPatiently(watch, signal);
        readMs = performance.now();
        show();
        if (stopsHere()) break;
      }
    }
  } finally {
    clearInterval(spinning);
  }
  block.end(linesOf(view));
  if (view.ended) output.line(await shownAnswer(view, output));
  else for (const line of approvalLines(view)) output.line(line);
  return exitCodeOf(view);
}

/** Whether only an approval lets the plan continue. The status changes one event before the request for the approval arrives. */
function isBlocked({ status, approvals }: PlanView): boolean {
  return status === "awaiting-approval" && approvals.some((approval) => approval.status === "pending");
}

/** Summarises the plan in a few lines: progress, running or last steps, pending approvals. */
function linesOf(view: PlanView, nowMs?: number): string[] {
  const open = view.steps.filter((step) => runs(step) || step.status === "failed");
  // A plan that is waiting for approval is shown in full with the approval.
  const asksForPlan = view.approvals.some(({ kind, status }) => kind === "plan" && status === "pending");
  const shown = asksForPlan ? [] : (open.length === 0 ? view.steps : open).slice(-STEPS_SHOWN);
  const steps = shown.map((step) => stepLine(view, step, nowMs));
  return [
    [statusLabel(view.status, view.answer?.status), progressText(view, nowMs)].filter(Boolean).join("  "),
    ...steps,
    ...approvalLines(view),
  ];
}

const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}A\u001b[0J`;

type LiveBlock = {
  show(lines: readonly string[]): void;
  /** Draws these lines a last time and leaves them in place. */
  end(lines: readonly string[]): void;
};

/** Lines at the end of a terminal that are redrawn in place; on a pipe, each new first line is printed once. */
export function createLiveBlock({ kind, size, raw, progress }: Output): LiveBlock {
  /** The widths of the lines on the screen. */
  let widths: readonly number[] = [];
  let lastHead = "";
  const draw = (lines: readonly string[]): void => {
    if (kind !== "terminal") {
      const [head = ""] = lines;
      if (head !== lastHead) progress(head);
      lastHead = head;
      return;
    }
    const { columns, rows } = size();
    // A narrowed window has wrapped the earlier lines.
    const above = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    // Lines are cut because a wrapped line would count as two. Lines that scrolled off cannot be redrawn.
    const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => sliceAnsi(line, 0, columns));
    raw(`${above === 0 ? "" : UP_AND_CLEAR(above)}${shown.join("\n")}\n`);
    widths = shown.map((line) => stringWidth(line));
  };
  return {
    show: draw,
    end(lines) {
      draw(lines);
      widths = [];
    },
  };
}

type Following = {
  readonly context: CommandContext;
  readonly client: Planwright;
  readonly output: Output;
  readonly watch: boolean;
  /** With `watch`: keep waiting while approvals are pending. */
  readonly wait: boolean;
};

/** Prints the id of a new plan, or watches the plan and sets the exit code by its outcome. */
export async function followAccepted(accepted: Accepted, following: Following): Promise<void> {
  const { planId } = accepted;
  const { context, client, output, watch, wait } = following;
  if (!watch) {
    output.result(accepted, () => output.line(planId));
    output.note(`Follow it with: ${COMMAND} watch ${planId}`);
    return;
  }
  output.progress(`plan ${planId}`);
  context.endWith(await watchPlan({ client, output, planId, after: 0, waits: wait }));
}

/** Returns the exit code for a plan that has ended or is waiting; docs/plan-status.md lists them. */
export function exitCodeOf({ status, answer }: Pick<PlanView, "status" | "answer">): ExitCode {
  if (isRefusal(status, answer?.status)) return EXIT.goalRefused;
  switch (status) {
    case "partial":
      return EXIT.planPartial;
    case "failed":
      return EXIT.planFailed;
    case "cancelled":
      return EXIT.planCancelled;
    case "awaiting-approval":
      return EXIT.needsApproval;
    default:
      return EXIT.done;
  }
}
