import type { RunEstimate } from "../api/api-types.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { formatCount, formatDuration } from "../ui/format.ts";

/** Describes the estimated time and cost of a run, their source, and how many steps have no estimate. */
export function runningWords(running: RunEstimate): string {
  const { steps, stepsTimed, stepsPriced, runs, answered } = running;
  const source = runs === 0 ? "" : `, from ${formatCount(runs, "earlier run")}`;
  const unknown = unknownWords({ steps, untimed: steps - stepsTimed, unpriced: steps - stepsPriced });
  const known = knownWords(running);
  const parts = [
    known === undefined ? undefined : `${known}${source}`,
    unknown,
    answered ? undefined : "plus the answer",
  ];
  return `Estimated run: ${parts.filter((part) => part !== undefined).join("; ")}`;
}

function knownWords({ durationMs, costUsd, steps, stepsPriced }: RunEstimate): string | undefined {
  const isFree = costUsd === 0 && stepsPriced === steps;
  const cost = costUsd === null || costUsd === 0 ? undefined : `about ${formatUsd(costUsd)}`;
  const time = durationMs === null ? undefined : `about ${formatDuration(durationMs)}`;
  const known = [time, isFree ? "no model cost" : cost].filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

type Unknown = { readonly steps: number; readonly untimed: number; readonly unpriced: number };

function unknownWords({ steps, untimed, unpriced }: Unknown): string | undefined {
  const of = `of ${formatCount(steps, "step")} unknown`;
  if (untimed === 0 && unpriced === 0) return undefined;
  if (untimed === unpriced) return `time and cost of ${untimed} ${of}`;
  if (untimed === 0) return `cost of ${unpriced} ${of}`;
  if (unpriced === 0) return `time of ${untimed} ${of}`;
  return `time of ${untimed} and cost of ${unpriced} ${of}`;
}
