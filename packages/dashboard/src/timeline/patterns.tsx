import type { Segment, SegmentKind } from "@planwright/plan/timeline";
import clsx from "clsx";
import { isForPeople } from "./timeline-rows.ts";

/** The meaning of a pattern: a kind of time, or a wait that a user can end. */
export type PatternName = SegmentKind | "person";

const COLOURS: Readonly<Record<PatternName, string>> = {
  wait: "text-idle",
  person: "text-warn",
  queue: "text-idle",
  model: "text-(--service-3)",
  tool: "text-(--service-1)",
  "sub-plan": "text-(--service-2)",
  items: "text-(--service-1)",
  retry: "text-(--service-4)",
  reviewing: "text-(--service-5)",
};
const WITHOUT_OUTLINE: ReadonlySet<PatternName> = new Set(["wait", "person", "items"]);

/** Each kind of time has a pattern besides its colour, so that it is recognizable without colour. */
export function Patterns() {
  return (
    <svg className="absolute size-0" aria-hidden="true">
      <defs>
        <Pattern kind="wait" size={8}>
          <path d="M0 4h3" />
        </Pattern>
        <Pattern kind="person" size={8}>
          <path d="M0 2h5M4 6h4M0 6h1" strokeWidth="2" />
        </Pattern>
        <Pattern kind="queue" size={6}>
          <path d="M-1 1 1-1M0 6 6 0M5 7 7 5" />
        </Pattern>
        <Pattern kind="model" size={8} filled>
          <g className="fill-surface stroke-none">
            <circle cx="2" cy="2" r="1.1" />
            <circle cx="6" cy="6" r="1.1" />
          </g>
        </Pattern>
        <Pattern kind="tool" size={8} filled />
        <Pattern kind="sub-plan" size={7} filled>
          <path d="M0 0 7 7M7 0 0 7" />
        </Pattern>
        <Pattern kind="items" size={6}>
          <path d="M0 1h6M0 5h6" />
        </Pattern>
        <Pattern kind="retry" size={5}>
          <path d="M1.5 0v5" />
        </Pattern>
        <Pattern kind="reviewing" size={6} filled>
          <path d="M0 3h6" />
        </Pattern>
      </defs>
    </svg>
  );
}

type PatternProps = {
  readonly kind: PatternName;
  readonly size: number;
  /** The colour is the background; the pattern is drawn on it. */
  readonly filled?: boolean;
  readonly children?: React.ReactNode;
};

function Pattern({ kind, size, filled = false, children }: PatternProps) {
  return (
    <pattern
      id={`time-pattern-${kind}`}
      className={COLOURS[kind]}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
    >
      <rect className={filled ? "fill-current" : "fill-surface"} width={size} height={size} />
      <g className={filled ? "stroke-surface" : "stroke-current"} fill="none" strokeWidth="1.3">
        {children}
      </g>
    </pattern>
  );
}

export function patternOf(segment: Pick<Segment, "kind" | "why">): PatternName {
  return isForPeople(segment) ? "person" : segment.kind;
}

/** The attributes of an SVG shape for a kind of time. */
export function paintOf(name: PatternName) {
  return {
    className: clsx(COLOURS[name], !WITHOUT_OUTLINE.has(name) && "stroke-current"),
    "data-time": name,
    fill: `url(#time-pattern-${name})`,
  };
}
