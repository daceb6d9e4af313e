import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { readEdits, EditsField } from "../approvals/edits-field.tsx";
import { isSettled } from "../plan/is-settled.ts";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { FORK_FORM } from "./step-words.ts";
import styles from "../approvals/approvals.module.css";

const LABEL = FORK_FORM.arguments;

/** Forks the plan from a finished step. */
export function ForkForm({ view, step }: { view: PlanView; step: StepView }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  const [text, setText] = useState<string>();
  if (!isSettled(step)) return null;
  if (text === undefined) {
    return (
      <Button onClick={() => setText(JSON.stringify(step.args, null, 2))}>
        {FORK_FORM.forkFromThisStep}
      </Button>
    );
  }
  const edits = readEdits(text, step.args);
  const fork = () =>
    run(async (signal) => {
      const body = { fromStep: step.id, ...(edits.kind === "changed" ? { edits: edits.value } : {}) };
      const { planId } = await gateway.fork(view.planId, body, signal);
      navigate(`/plans/${planId}`);
    });
  return (
    <form className={styles.decision} onSubmit={(event) => event.preventDefault()}>
      <EditsField label={LABEL} text={text} edits={edits} onChange={setText} />
      <div className={styles.decisionButtons}>
        <Button kind="primary" disabled={busy || edits.kind === "invalid"} onClick={() => void fork()}>
          {edits.kind === "changed" ? FORK_FORM.forkWithTheseArguments : FORK_FORM.fork}
        </Button>
        <Button onClick={() => setText(undefined)}>{FORK_FORM.dismiss}</Button>
      </div>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
}
