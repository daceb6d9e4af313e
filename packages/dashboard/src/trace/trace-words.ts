/** What there is to know of a trace beside its spans, in words. */
import type { PlanView, SystemInfo, TraceData } from "../api/api-types.ts";

export type Told = { readonly title: string; readonly text: string };

type Facts = {
  readonly trace: Omit<TraceData, "spans">;
  readonly view: Pick<PlanView, "submittedAt" | "endedAt">;
  readonly traces: SystemInfo["traces"] | undefined;
  /** No spans are to be expected any more. */
  readonly settled: boolean;
};

/** Why there are no spans. */
export function whyEmpty({ trace, view, traces, settled }: Facts): Told {
  if (traces?.to === "endpoint") {
    return {
      title: "Traces go elsewhere",
      text: `The services send their spans to ${traces.endpoint ?? "another receiver"}. With PLANWRIGHT_TRACES=both they are shown here as well.`,
    };
  }
  if (!trace.sampled) {
    return {
      title: "This plan was not sampled",
      text: "So many plans came at once that only some are traced. Of the others only what fails is recorded, and nothing has failed here.",
    };
  }
  if (trace.evicted) {
    return {
      title: "The spans of this plan are gone",
      text: "The gateway keeps those that came last, and has let these go to make room for others.",
    };
  }
  if (view.endedAt !== undefined && view.endedAt < trace.keptSince) {
    return {
      title: "The spans of this plan are gone",
      text: "The gateway keeps spans in memory, and has been started again since this plan ended.",
    };
  }
  if (settled) {
    return {
      title: "No spans came",
      text: "The plan has ended, and none of the services has sent a span of it to this gateway.",
    };
  }
  return {
    title: "No spans yet",
    text: "The services send their spans a moment after each piece of work ends.",
  };
}

/** What is missing from the spans that are shown, a sentence each. */
export function whatIsMissing({ trace, view, traces }: Omit<Facts, "settled">): string[] {
  const { sampled, evicted, dropped, keptSince } = trace;
  return [
    ...(sampled ? [] : ["This plan was not sampled: only what failed was recorded."]),
    ...(evicted ? ["Earlier spans were let go to make room for others."] : []),
    ...(dropped > 0
      ? [`${dropped.toLocaleString("en")} spans were too many for one trace, and were not kept.`]
      : []),
    ...(view.submittedAt < keptSince
      ? ["The gateway has been started again since this plan began: earlier spans are gone."]
      : []),
    ...(traces?.to === "endpoint" ? [`Spans go to ${traces.endpoint ?? "another receiver"} now.`] : []),
  ];
}
