import { lazy, Suspense, useMemo } from "react";
import { browserMemory, remembered } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";

const ChecklistCard = lazy(async () => ({ default: (await import("./checklist-card.tsx")).ChecklistCard }));

type Props = {
  /** Changes when the user has uploaded data. */
  readonly uploads: number;
};

/** The checklist of a new installation. Once it is done or dismissed, this browser neither shows nor loads it. */
export function Onboarding({ uploads }: Props) {
  const memory = useMemo(
    () =>
      remembered(
        browserMemory(() => localStorage),
        { key: "onboarding", values: ["open", "closed"] },
      ),
    [],
  );
  if (useStore(memory) === "closed") return null;
  return (
    <Suspense fallback={null}>
      <ChecklistCard uploads={uploads} onClose={() => memory.set("closed")} />
    </Suspense>
  );
}
