import { useSearchField } from "../router/use-route.ts";
import { Composer } from "../submit/composer.tsx";
import { RerunComposer } from "./rerun-composer.tsx";

/** The start page: a new goal, or with `?rerun=` in the address, another plan's to edit and run again. */
export function Home() {
  const [planId] = useSearchField("rerun");
  return planId === undefined ? <Composer key="new" /> : <RerunComposer key={planId} planId={planId} />;
}
