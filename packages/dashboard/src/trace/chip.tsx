import clsx from "clsx";
import type { ComponentProps } from "react";

/** A small button within a trace. */
export function Chip({ className, ...rest }: Omit<ComponentProps<"button">, "type">) {
  return (
    <button
      type="button"
      className={clsx(
        "chip font-sans aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink",
        className,
      )}
      {...rest}
    />
  );
}
