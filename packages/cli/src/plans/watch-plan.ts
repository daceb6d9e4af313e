/** Follows a plan to its end, shown live to people and line by line to programs. */
import type { Planwright, PlanView } from "@planwright/client";
import { statusLabel } from "@planwright/plan/status-label";
import { madeMs } from "@planwright/plan/why-waiting";
import { setTimeout as delay } from "node:timers/promises";
import { COMMAND } from "../command-context.ts";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import type { Output } from "../output/create-output.ts";
import { createLiveBlock } from "../output/live-block.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { answerText, approvalLines, FRAME_MS, progressText, runs, stepLine } from "./plan-text.ts";

const STEPS_SHOWN = 12;
/** A plan is read again at most so often, however many facts arrive. */
const READ_EVERY_MS = 200;
/** With pauses that grow to 10 s: about a minute. */
const RETRIES = 11;

type Watch = {
  readonly client: Planwright;
  readonly output: Output;
  readonly planId: string;
  /** Facts up to this one are known. */
  readonly after: number;
  /** Goes on also when only a person can let the plan go on, and nobody sits at the terminal. */
  readonly waits: boolean;
};

/** @returns What the command ends with. */
export async function watchPlan(watch: Watch): Promise<ExitCode> {
  const detaching = new AbortController();
  const detach = () => detaching.abort(new CliError(EXIT.detached, detachedText(watch.planId)));
  process.once("SIGINT", detach);
  try {
    return await (watch.output.kind === "json"
      ? printFacts(watch, detaching.signal)
      : showPlan(watch, detaching.signal));
  } catch (error) {
    // Whatever broke off because of it: that it was detached is what is to be said.
    detaching.signal.throwIfAborted();
    throw error;
  } finally {
    process.off("SIGINT", detach);
  }
}

function detachedText(planId: string): string {
  return `detached; the plan goes on. Come back with: ${COMMAND} watch ${planId}`;
}

/** A line of JSON for each fact, as it comes. */
async function printFacts(watch: Watch, signal: AbortSignal): Promise<ExitCode> {
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

/** A gateway that starts again in between is waited for, as it is for its events. */
function readPatiently({ client, planId }: Watch, signal: AbortSignal): Promise<PlanView> {
  return client.plans.get(planId, { signal, maxRetries: RETRIES });
}

async function showPlan(watch: Watch, signal: AbortSignal): Promise<ExitCode> {
  const { client, output, planId } = watch;
  const block = createLiveBlock(output);
  const isLive = output.kind === "terminal";
  let view = await client.plans.get(planId);
  let readMs = performance.now();
  // This machine's clock may be wrong: time is counted on from when the gateway made the view.
  const serverNow = () => madeMs(view) + performance.now() - readMs;
  const show = () => block.show(linesOf(view, isLive ? serverNow() : undefined));
  show();
  const turning = isLive ? setInterval(() => view.steps.some(runs) && show(), FRAME_MS) : undefined;
  const stopsHere = () => view.status === "awaiting-approval" && !watch.waits && output.kind === "plain";
  try {
    if (!view.ended && !stopsHere()) {
      for await (const { seq } of client.plans.events(planId, { after: view.seq, signal })) {
        // Facts that came meanwhile are in the view that was read last.
        if (seq <= view.seq) continue;
        await delay(Math.max(0, readMs + READ_EVERY_MS - performance.now()), undefined, { signal });
        view = await readPatiently(watch, signal);
        readMs = performance.now();
        show();
        if (stopsHere()) break;
      }
    }
  } finally {
    clearInterval(turning);
  }
  block.end(linesOf(view));
  if (view.ended) output.line(answerText(view));
  else for (const line of approvalLines(view)) output.line(line);
  return exitCodeOf(view);
}

/** What is going on, as a few lines: those that ended last, what runs, what waits for a person. */
function linesOf(view: PlanView, nowMs?: number): string[] {
  const open = view.steps.filter((step) => runs(step) || step.status === "failed");
  // A plan that waits to be approved is shown whole, with the approval.
  const asksForPlan = view.approvals.some(({ kind, status }) => kind === "plan" && status === "pending");
  const shown = asksForPlan ? [] : (open.length === 0 ? view.steps : open).slice(-STEPS_SHOWN);
  const steps = shown.map((step) => stepLine(view, step, nowMs));
  return [
    `${statusLabel(view.status, view.answer?.status)}  ${progressText(view, nowMs)}`,
    ...steps,
    ...approvalLines(view),
  ];
}
