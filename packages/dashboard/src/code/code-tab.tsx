import { useMemo, useState } from "react";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { ProgramView } from "./program-view.tsx";
import { programsOf, versionsOf } from "./programs-of.ts";
import { Button } from "../ui/button.tsx";
import { COMMON } from "../ui/ui-words.ts";

/** Number of programs shown at a time: a plan can have thousands. */
const CHAINS_STEP = 20;

/** The plan's programs, each with all its versions, oldest first. */
export function CodeTab({ view, onSelectStep }: TabProps) {
  const [shown, setShown] = useState(CHAINS_STEP);
  const chains = useMemo(() => versionsOf(programsOf(view)), [view]);
  if (chains.length === 0) return <EmptyState of="code" />;
  return (
    <div className="grid grid-cols-1 gap-6.5 px-4.5 pt-4 pb-5.5 max-lg:p-3">
      {chains.slice(0, shown).map((versions) => (
        <div key={versions[0]?.step.id} className="grid grid-cols-1 gap-4.5">
          {versions.map((program, index) => (
            <ProgramView
              key={program.step.id}
              view={view}
              program={program}
              before={versions[index - 1]}
              version={index + 1}
              onSelectStep={onSelectStep}
            />
          ))}
        </div>
      ))}
      {chains.length > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + CHAINS_STEP)}>
          {COMMON.showMoreLeft(chains.length - shown)}
        </Button>
      )}
    </div>
  );
}
