/** The page's icons: strokes on a 16 × 16 grid, decorative; the text beside them says the same. */
import clsx from "clsx";
import type { ReactNode } from "react";

export type IconName = keyof typeof SHAPES;

type Props = {
  readonly name: IconName;
  /** In pixels; default 16. */
  readonly size?: number;
  readonly spin?: boolean;
  readonly className?: string;
};

export function Icon({ name, size = 16, spin = false, className }: Props) {
  return (
    <svg
      className={clsx(spin && "icon-spin", className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}

const SHAPES = {
  waiting: <circle cx="8" cy="8" r="5.7" strokeDasharray="2.2 2.3" />,
  queued: <path d="M4 2h8M4 14h8M5 2v2.4L8 8l-3 3.6V14m6-12v2.4L8 8l3 3.6V14" />,
  running: <path d="M8 2.3A5.7 5.7 0 1 1 2.3 8" />,
  succeeded: shape(<circle cx="8" cy="8" r="6.2" />, <path d="m5.3 8.2 1.9 1.9 3.6-4" />),
  failed: shape(<path d="M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5l-3.7-3.7v-5z" />, <path d="m6 6 4 4m0-4-4 4" />),
  skipped: <path d="m3.5 4 4 4-4 4m4-8 4 4-4 4M13 4v8" />,
  cancelled: shape(<circle cx="8" cy="8" r="6.2" />, <path d="m3.8 12.2 8.4-8.4" />),
  paused: shape(<circle cx="8" cy="8" r="6.2" />, <path d="M6.4 5.8v4.4m3.2-4.4v4.4" />),
  approval: <path d="M8 1.8 2.8 4v3.6c0 3.2 2.2 5.5 5.2 6.6 3-1.1 5.2-3.4 5.2-6.6V4zM8 5v3.4m0 2.2v.1" />,
  reviewing: shape(
    <path d="M1.5 8S4 3.6 8 3.6 14.5 8 14.5 8 12 12.4 8 12.4 1.5 8 1.5 8z" />,
    <circle cx="8" cy="8" r="1.9" />,
  ),
  planning: <path d="M10.8 2.6 13.4 5.2 5.6 13H3v-2.6zM9 4.4 11.6 7" />,
  group: shape(<rect x="2" y="5" width="9" height="9" rx="2" />, <path d="M5 2.4h6.6a2 2 0 0 1 2 2V11" />),
  critical: <path d="M8 2 14 8l-6 6-6-6z" fill="currentColor" stroke="none" />,
  plus: <path d="M8 3v10M3 8h10" />,
  search: shape(<circle cx="7" cy="7" r="4.6" />, <path d="m10.6 10.6 3 3" />),
  filter: <path d="M2 3.2h12L9.6 8.6v4.6l-3.2-1.6v-3z" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  back: <path d="M13 8H3m4-4.5L2.5 8 7 12.5" />,
  copy: shape(
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.8" />,
    <path d="M10.5 2.5h-6a2 2 0 0 0-2 2v6" />,
  ),
  link: shape(
    <path d="M6.6 9.4a2.9 2.9 0 0 0 4.1 0l2.4-2.4A2.9 2.9 0 0 0 9 2.9L8 3.9" />,
    <path d="M9.4 6.6a2.9 2.9 0 0 0-4.1 0L2.9 9A2.9 2.9 0 0 0 7 13.1l1-1" />,
  ),
  check: <path d="m3 8.5 3.3 3.3L13 5" />,
  chevron: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  more: <path d="M3 8h.1M8 8h.1M13 8h.1" strokeWidth="2.6" />,
  order: <path d="M5 3v10M5 3 2.8 5.4M5 3l2.2 2.4M11 13V3m0 10-2.2-2.4M11 13l2.2-2.4" />,
  down: <path d="M8 3v10m-4-4 4 4 4-4" />,
  target: shape(<circle cx="8" cy="8" r="5.2" />, <path d="M8 1v3m0 8v3M1 8h3m8 0h3" />),
  alert: shape(<path d="M8 2 14.6 13.4H1.4z" />, <path d="M8 6.4v3.2m0 1.8v.1" />),
  info: shape(<circle cx="8" cy="8" r="6.2" />, <path d="M8 7.4v3.4m0-5.6v.1" />),
  file: (
    <path d="M9.2 1.8H4.6a1.4 1.4 0 0 0-1.4 1.4v9.6a1.4 1.4 0 0 0 1.4 1.4h6.8a1.4 1.4 0 0 0 1.4-1.4V5.4zm0 0v3.6h3.6" />
  ),
  send: <path d="M8 13V3m-4.2 4.2L8 3l4.2 4.2" />,
  inbox: <path d="M2 9.5h3.6L7 11.4h2l1.4-1.9H14M2 9.5 4 3h8l2 6.5V13H2z" />,
  "theme-auto": shape(
    <circle cx="8" cy="8" r="5.7" />,
    <path d="M8 2.3v11.4a5.7 5.7 0 0 0 0-11.4z" fill="currentColor" />,
  ),
  "theme-light": shape(
    <circle cx="8" cy="8" r="3" />,
    <path d="M8 1v1.6m0 10.8V15M1 8h1.6m10.8 0H15M3.1 3.1l1.1 1.1m7.6 7.6 1.1 1.1m0-9.8-1.1 1.1m-7.6 7.6-1.1 1.1" />,
  ),
  "theme-dark": <path d="M13.2 9.6A5.7 5.7 0 1 1 6.4 2.8a4.5 4.5 0 0 0 6.8 6.8z" />,
  keyboard: shape(
    <rect x="1.2" y="3.6" width="13.6" height="8.8" rx="1.8" />,
    <path d="M4 6.5h.1m2.6 0h.1m2.6 0h.1m2.5 0h.1M5 9.6h6" />,
  ),
  bell: <path d="M3 12h10l-1.2-1.8V7a3.8 3.8 0 0 0-7.6 0v3.2zm3.6 2h2.8" />,
  "bell-off": <path d="M4.2 8v2.2L3 12h9M5.3 4.3A3.8 3.8 0 0 1 11.8 7v2.6M6.6 14h2.8M2 2l12 12" />,
  undo: <path d="M2.5 6.5h7a3.5 3.5 0 0 1 0 7H6M5.5 3.5l-3 3 3 3" />,
  clock: shape(<circle cx="8" cy="8" r="6.2" />, <path d="M8 4.6V8l2.3 1.5" />),
} as const satisfies Record<string, ReactNode>;

function shape(...parts: ReactNode[]): ReactNode {
  const [first, second] = parts;
  return (
    <>
      {first}
      {second}
    </>
  );
}
