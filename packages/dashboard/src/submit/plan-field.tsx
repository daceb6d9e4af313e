import { useEffect, useId, useState } from "react";
import { useServices } from "../shell/services.ts";
import { formatCount } from "../ui/format.ts";
import type { ReadPlan } from "./request-of.ts";
import { PLAN_FIELD } from "./submit-words.ts";
import { COMMON } from "../ui/ui-words.ts";

const CHECK_DELAY_MS = 300;
const ISSUES_SHOWN = 20;

type Props = {
  readonly text: string;
  readonly read: ReadPlan;
  readonly onChange: (text: string) => void;
};

/** A field for an existing plan to run unchanged; the plan is checked as the user types. */
export function PlanField({ text, read, onChange }: Props) {
  const id = useId();
  const checked = useCheck(text, read);
  return (
    <div className="col-span-full grid min-w-0 gap-1 text-sm">
      <label className="text-soft" htmlFor={id}>
        {PLAN_FIELD.runAnExistingPlan}
      </label>
      <textarea
        id={id}
        className="field field-sizing-content max-h-[50vh] resize-y font-mono"
        rows={text === "" ? 3 : 12}
        spellCheck={false}
        placeholder={PLAN_FIELD.example}
        value={text}
        aria-describedby={`${id}-check`}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id={`${id}-check`} className="text-bad" role="status">
        {checked !== undefined && <Checked checked={checked} />}
      </div>
    </div>
  );
}

type CheckResult = { readonly faults: readonly string[]; readonly steps: number };

function Checked({ checked: { faults, steps } }: { checked: CheckResult }) {
  if (faults.length === 0) return <p className="text-ok">{PLAN_FIELD.valid(formatCount(steps, "step"))}</p>;
  return (
    <ul>
      {faults.slice(0, ISSUES_SHOWN).map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
      {faults.length > ISSUES_SHOWN && <li>{COMMON.andMore(faults.length - ISSUES_SHOWN)}</li>}
    </ul>
  );
}

/** Checks the plan shortly after the last keystroke. Undefined while there is no plan or no result. */
function useCheck(text: string, read: ReadPlan): CheckResult | undefined {
  const { gateway } = useServices();
  const [result, setResult] = useState<CheckResult>();
  useEffect(() => {
    setResult(undefined);
    if (read.kind === "none") return;
    const closing = new AbortController();
    const check = async (): Promise<void> => {
      if (read.kind === "invalid") return setResult({ faults: [read.reason], steps: 0 });
      const { steps } = read.plan;
      // If the gateway is unreachable now, it checks the plan when the goal is submitted.
      const faults = await gateway.check(read.plan, closing.signal).catch(() => undefined);
      if (faults !== undefined && !closing.signal.aborted) {
        setResult({ faults, steps: Array.isArray(steps) ? steps.length : 0 });
      }
    };
    const timer = setTimeout(() => void check(), CHECK_DELAY_MS);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [text, gateway]);
  return result;
}
