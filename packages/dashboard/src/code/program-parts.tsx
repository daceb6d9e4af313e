/** The parts of a program's view. */
import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "../ui/icons.tsx";
import type { Fault } from "./programs-of.ts";

export function Title({ children }: { children: ReactNode }) {
  return <h4 className="mt-1 text-sm font-semibold text-soft">{children}</h4>;
}

/** The lines of a program, with anything that concerns them as a whole. */
export function SourceBox({ children }: { children: ReactNode }) {
  return <div className="relative rounded-md border border-line bg-sunken">{children}</div>;
}

export function SourceLines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      className="max-h-[520px] overflow-auto py-2 text-xs [tab-size:2]"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  );
}

type LineProps = ComponentProps<"div"> & {
  /** The line's number, or its marker in a difference. */
  readonly sign: ReactNode;
  readonly tone?: "ok" | "bad" | undefined;
};

export function SourceLine({ sign, tone, children, ...rest }: LineProps) {
  return (
    <div
      className={clsx(
        "grid grid-cols-[46px_minmax(0,1fr)] font-mono max-lg:grid-cols-[34px_minmax(0,1fr)]",
        tone !== undefined && `tone-${tone} bg-tone-soft`,
      )}
      data-part="source-line"
      {...rest}
    >
      <span
        className={clsx(
          "pr-3 text-right tabular-nums select-none max-lg:pr-2",
          tone === undefined ? "text-faint" : "font-bold text-tone",
        )}
      >
        {sign}
      </span>
      <code className="pr-3.5 text-xs wrap-anywhere whitespace-pre-wrap">{children}</code>
    </div>
  );
}

/** An error: below its line or, when it has no line, at the end of the program. */
export function FaultLine({ fault: { message, code }, atLine }: { fault: Fault; atLine: boolean }) {
  return (
    <p className={clsx("text-sm text-bad", atLine && "pt-1 pr-3.5 pb-1.5 pl-[46px] max-lg:pl-[34px]")}>
      {atLine && <Icon className="align-[-2px]" name="failed" size={13} />} {message} <code>{code}</code>
    </p>
  );
}
