export { slackOf } from "./slack.ts";
export { type Sums, sumsOf, totalsOf } from "./sums.ts";
export {
  type Bar,
  type Mark,
  type PlanSpan,
  type Segment,
  SEGMENT_KINDS,
  type SegmentKind,
  type Timeline,
  type WaitReason,
} from "./timeline.ts";
export { timelineOf } from "./timeline-of.ts";
