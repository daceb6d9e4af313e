import type { ComparedStep, PlanComparison } from "@planwright/plan/compare";
import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { Link } from "../router/link.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Changes, textOf } from "./changes.tsx";
import styles from "./compare.module.css";

const ROWS_STEP = 100;

const KINDS: Readonly<Record<ComparedStep["kind"], string>> = {
  changed: "Different",
  "only-left": "Left only",
  "only-right": "Right only",
  same: "The same",
};

type Props = {
  readonly left: PlanView;
  readonly right: PlanView;
  readonly steps: PlanComparison["steps"];
  readonly counts: PlanComparison["counts"];
};

/** The steps of both plans, what is different first. */
export function ComparedSteps({ left, right, steps, counts }: Props) {
  const [shown, setShown] = useState(ROWS_STEP);
  const different = steps.length - counts.same;
  const [all, setAll] = useState(different === 0);
  const rows = all ? steps : steps.slice(0, different);
  return (
    <section className={`card ${styles.comparePart}`} aria-labelledby="compare-steps">
      <h2 id="compare-steps">Steps</h2>
      {steps.length === 0 && <p className="soft">Neither plan has steps yet.</p>}
      <ol className={styles.comparedSteps}>
        {rows.slice(0, shown).map((step) => (
          <Row key={keyOf(step)} step={step} leftId={left.planId} rightId={right.planId} />
        ))}
      </ol>
      {rows.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more ({rows.length - shown} left)
        </button>
      )}
      {!all && counts.same > 0 && (
        <button type="button" className="button" onClick={() => setAll(true)}>
          Show {formatCount(counts.same, "step")} that {counts.same === 1 ? "is" : "are"} the same
        </button>
      )}
    </section>
  );
}

function keyOf(step: ComparedStep): string {
  return `${"left" in step ? step.left.id : ""}/${"right" in step ? step.right.id : ""}`;
}

function Row({ step, leftId, rightId }: { step: ComparedStep; leftId: string; rightId: string }) {
  const isMoved = step.kind === "changed" && step.matchedBy === "work";
  return (
    <li className={styles.comparedStep} data-kind={step.kind}>
      <p className={styles.comparedKind}>
        {KINDS[step.kind]}
        {isMoved && <span className="soft">, same work, different id</span>}
      </p>
      {"left" in step ? <Side side="Left" planId={leftId} step={step.left} /> : <Nothing side="Left" />}
      {"right" in step ? <Side side="Right" planId={rightId} step={step.right} /> : <Nothing side="Right" />}
      {step.kind === "changed" && (
        <div className={styles.comparedChanges}>
          {/* A status stands in both heads. */}
          <Changes changes={step.changes.filter(({ field }) => field !== "status" && field !== "id")} />
          <Outputs step={step} />
        </div>
      )}
    </li>
  );
}

function Side({ side, planId, step }: { side: string; planId: string; step: StepView }) {
  const fields = new URLSearchParams({ step: step.id });
  return (
    <div>
      <p>
        <span className={styles.compareSide}>{side}</span>
        <Link href={`/plans/${encodeURIComponent(planId)}?${fields.toString()}`}>
          <code>{step.id}</code> {step.description}
        </Link>
      </p>
      <p className={styles.comparedMeta}>
        <StatusBadge status={step.status} plain />
        <code>{step.tool}</code>
        {step.durationMs !== undefined && <span>{formatDuration(step.durationMs)}</span>}
        {step.attempt > 1 && <span>{formatCount(step.attempt, "attempt")}</span>}
        {step.carried === true && <span>carried over</span>}
      </p>
    </div>
  );
}

function Nothing({ side }: { side: string }) {
  return (
    <div>
      <p className="soft">
        <span className={styles.compareSide}>{side}</span>
        no such step
      </p>
    </div>
  );
}

function Outputs({ step }: { step: Extract<ComparedStep, { kind: "same" | "changed" }> }) {
  const { output, left, right } = step;
  if (output === "none") return null;
  if (output === "equal") return <p className="soft">Output: same.</p>;
  if (output === "alike")
    return <p className="soft">Output: appears equal (type, size and beginning match).</p>;
  if (output === "one") {
    return <p className="soft">Output: only {left.output === undefined ? "right" : "left"}.</p>;
  }
  return (
    <details>
      <summary>Output: different</summary>
      <SourceDiff before={outputText(left)} after={outputText(right)} label="Output line diff" />
    </details>
  );
}

function outputText({ output }: StepView): string {
  if (output === undefined) return "";
  return "value" in output ? textOf(output.value) : output.preview;
}
