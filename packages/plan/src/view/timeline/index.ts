export { slackOf } from "./slack.ts";
export { type Sums, sumsOf, totalsOf } from "./sums.ts";
export {
  type Bar,
  type BarStatus,
  type Mark,
  type MarkKind,
  type PlanSpan,
  type PlanSpanKind,
  type Segment,
  SEGMENT_KINDS,
  type SegmentKind,
  type StepTimes,
  type Timeline,
  type WaitReason,
} from "./timeline.ts";
export { timelineOf } from "./timeline-of.ts";
