/** Building blocks of a step's details. */
import type { ComponentProps, ReactNode } from "react";
import { CopyLink } from "../ui/copy-button.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { STEP_TURNS } from "./step-words.ts";

export const PART_TITLE = "text-sm font-semibold text-faint";

/** A sentence on a tinted background. */
export function Remark({ icon, words, ...rest }: { icon: IconName; words: string } & ComponentProps<"p">) {
  return (
    <p className="flex items-baseline gap-2 rounded-md bg-sunken px-3 py-2" {...rest}>
      <Icon className="flex-none self-center" name={icon} size={14} />
      <span className="inline-block min-w-0 first-letter:uppercase">{words}</span>
    </p>
  );
}

type MoreProps = Pick<ComponentProps<"details">, "onToggle" | "children"> & { readonly summary: string };

/** Collapsed details that few users need. */
export function More({ summary, onToggle, children }: MoreProps) {
  return (
    <details className="basis-full" onToggle={onToggle}>
      <summary className="w-fit cursor-pointer text-sm text-soft">{summary}</summary>
      <div className="mt-1.5 grid grid-cols-1 gap-1.5">{children}</div>
    </details>
  );
}

/** A step's history as a list: attempts, effects, decisions, reviews. */
export function Entries({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ol className="grid grid-cols-1 gap-2 text-sm" aria-label={label}>
      {children}
    </ol>
  );
}

type EntryProps = {
  readonly tone: string;
  readonly icon: IconName;
  readonly title: string;
  /** Shown beside the title. */
  readonly notes?: ReactNode;
  readonly children?: ReactNode;
};

export function Entry({ tone, icon, title, notes, children }: EntryProps) {
  return (
    <li className={`grid grid-cols-1 gap-1 border-l-3 border-tone pl-3 tone-${tone}`}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Icon className="flex-none text-tone" name={icon} size={14} />
        <strong>{title}</strong>
        {notes}
      </p>
      {children}
    </li>
  );
}

/** Minor details, shown last. */
export function Small({ children }: { children: ReactNode }) {
  return <p className="flex flex-wrap gap-x-3.5 gap-y-0.5 text-sm text-faint">{children}</p>;
}

type ErrorLineProps = {
  readonly error: { readonly message: string; readonly code: string };
  readonly children?: ReactNode;
};

export function ErrorLine({ error: { message, code }, children }: ErrorLineProps) {
  return (
    <p data-part="attempt-error">
      {message} <code className="text-faint">{code}</code>
      {children}
    </p>
  );
}

/** A list of turns, items or model calls. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <ol className="grid grid-cols-1 divide-y divide-line rounded-md border border-line text-sm">
      {children}
    </ol>
  );
}

type RowProps = Omit<ComponentProps<"li">, "onToggle"> & {
  readonly number: number;
  /** Before the text: a marker, or the name of a tool. */
  readonly head: ReactNode;
  /** A one-line summary. */
  readonly words: string | undefined;
  readonly time?: ReactNode;
  readonly details?: ComponentProps<"details"> & { readonly "data-testid"?: string };
  /** The address that leads to it, for copying. */
  readonly link?: ComponentProps<typeof CopyLink>;
};

/** One row that expands to its details. */
export function Row({ number, head, words, time, details, link, children, ...rest }: RowProps) {
  return (
    <li {...rest}>
      <details {...details}>
        <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-2 marker:hidden hover:bg-sunken">
          <span className="min-w-[2ch] flex-none text-right text-faint tabular-nums" data-part="turn-number">
            {number}
          </span>
          {head}
          <span className="flex-1 truncate text-soft">{words}</span>
          {time !== undefined && <span className="soft">{time}</span>}
        </summary>
        <div className="relative grid grid-cols-1 gap-2 px-3 pt-1 pb-3.5 wrap-anywhere">
          {link !== undefined && (
            <div className="absolute top-1 right-2">
              <CopyLink {...link} />
            </div>
          )}
          {children}
        </div>
      </details>
    </li>
  );
}

/** In the line of a row. */
export function RowCode({ children }: { children: ReactNode }) {
  return <code className="max-w-[45%] flex-none truncate">{children}</code>;
}

export function RowFault() {
  return (
    <span className="inline-flex text-bad">
      <Icon name="failed" size={13} />
      <span className="visually-hidden">{STEP_TURNS.failed} </span>
    </span>
  );
}

/** Inside an expanded row. */
export function RowTitle({ children }: { children: ReactNode }) {
  return <h4 className="text-xs font-semibold text-faint">{children}</h4>;
}
