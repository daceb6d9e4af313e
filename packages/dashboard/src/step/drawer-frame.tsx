import clsx from "clsx";
import type { ComponentProps } from "react";

/** The frame of a step's details: beside the plan, over it where there is no room, and over the whole page on a phone. */
export function DrawerFrame(props: ComponentProps<"aside">) {
  return (
    <aside
      className={clsx(
        "sticky top-13.5 z-15 flex h-[calc(100dvh-54px-var(--banner,0px))] w-[min(480px,100vw)] flex-col border-l border-line bg-raised",
        "max-2xl:fixed max-2xl:right-0 max-2xl:bottom-(--banner,0px) max-2xl:h-auto max-2xl:shadow-float",
        "max-lg:top-0 max-lg:bottom-0 max-lg:z-30 max-lg:w-full max-lg:border-l-0 print:hidden",
        // Slides in from the side, on a phone from below.
        "transition-[translate,opacity] duration-180 starting:translate-x-6 starting:opacity-0",
        "max-lg:starting:translate-x-0 max-lg:starting:translate-y-7.5",
      )}
      data-part="drawer"
      {...props}
    />
  );
}
