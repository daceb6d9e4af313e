/** The fields of the options. */
import clsx from "clsx";
import type { ReactNode } from "react";

type OptionProps = {
  readonly label: string;
  readonly className?: string;
  /** The field. */
  readonly children: ReactNode;
};

/** A field below its label. */
export function Option({ label, className, children }: OptionProps) {
  return (
    <label className={clsx("grid min-w-0 content-start gap-1 text-sm", className)}>
      <span className="text-soft">{label}</span>
      {children}
    </label>
  );
}

type CheckOptionProps = {
  readonly title?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** The value that the option represents. */
  readonly children: ReactNode;
};

export function CheckOption({ title, checked, onChange, children }: CheckOptionProps) {
  return (
    <label className="flex min-w-0 items-center gap-2 text-sm text-soft" title={title}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}
