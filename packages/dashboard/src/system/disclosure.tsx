import { type ReactNode, useState } from "react";

type Props = {
  readonly label: string;
  /** Rendered even while it is closed, so that a search in the page finds it; default false. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
};

/** A collapsed section. */
export function Disclosure({ label, isKept = false, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-sm text-soft">{label}</summary>
      {(isOpen || isKept) && children}
    </details>
  );
}
