import type { ReactNode } from "react";

/** Left and right side by side; stacked where there is no room. */
export const PAIR = "grid grid-cols-2 gap-x-3.5 gap-y-2 @max-[640px]:grid-cols-1";

type Props = { readonly id: string; readonly title: string; readonly children: ReactNode };

/** One card of the comparison. */
export function ComparePart({ id, title, children }: Props) {
  return (
    <section className="card grid grid-cols-1 gap-3 px-4 py-3.5" aria-labelledby={id}>
      <h2 className="text-base" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Names the plan that something belongs to. */
export function SideName({ side }: { side: string }) {
  return <span className="mr-2 text-xs font-semibold text-faint">{side}</span>;
}
