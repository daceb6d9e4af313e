import clsx from "clsx";
import type { ReactElement, ReactNode } from "react";

type Props = {
  /** Its name, for screen readers. */
  readonly label: string;
  /** The column headings, in order; those of numbers are right-aligned. */
  readonly head: readonly (string | ReactElement | { readonly number: string })[];
  /** The rows. */
  readonly children: ReactNode;
  readonly className?: string;
};

/** A table that scrolls inside its container when it is wide. */
export function ScrollTable({ label, head, children, className }: Props) {
  return (
    <div className={clsx("scroll-x", className)} tabIndex={0} role="group" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {head.map((heading, index) => {
              const isNumber = typeof heading === "object" && "number" in heading;
              return (
                // Two columns can have the same name; none changes its position.
                <th key={index} scope="col" className={isNumber ? "number" : undefined}>
                  {isNumber ? heading.number : heading}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
