import clsx from "clsx";
import type { ComparedStep, PlanComparison } from "@planwright/plan/compare";
import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Changes, textOf } from "./changes.tsx";
import { ComparePart, PAIR, SideName } from "./compare-part.tsx";
import { COMPARED_STEPS, KIND_NAMES } from "./compare-words.ts";
import { COMMON } from "../ui/ui-words.ts";

const ROWS_STEP = 100;

type Props = {
  readonly left: PlanView;
  readonly right: PlanView;
  readonly steps: PlanComparison["steps"];
  readonly counts: PlanComparison["counts"];
};

/** The steps of both plans, different ones first. */
export function ComparedSteps({ left, right, steps, counts }: Props) {
  const [shown, setShown] = useState(ROWS_STEP);
  const different = steps.length - counts.same;
  const [all, setAll] = useState(different === 0);
  const rows = all ? steps : steps.slice(0, different);
  return (
    <ComparePart id="compare-steps" title={COMPARED_STEPS.steps}>
      {steps.length === 0 && <p className="soft">{COMPARED_STEPS.neitherPlanHasSteps}</p>}
      <ol className="grid grid-cols-1 gap-3">
        {rows.slice(0, shown).map((step) => (
          <Row key={keyOf(step)} step={step} leftId={left.planId} rightId={right.planId} />
        ))}
      </ol>
      {rows.length > shown && (
        <Button kind="quiet" className="justify-self-start" onClick={() => setShown(shown + ROWS_STEP)}>
          {COMMON.showMoreLeft(rows.length - shown)}
        </Button>
      )}
      {!all && counts.same > 0 && (
        <Button className="justify-self-start" onClick={() => setAll(true)}>
          {COMPARED_STEPS.showThat(formatCount(counts.same, "step"))}{" "}
          {counts.same === 1 ? COMPARED_STEPS.is : COMPARED_STEPS.are} {COMPARED_STEPS.theSame}
        </Button>
      )}
    </ComparePart>
  );
}

function keyOf(step: ComparedStep): string {
  return `${"left" in step ? step.left.id : ""}/${"right" in step ? step.right.id : ""}`;
}

function Row({ step, leftId, rightId }: { step: ComparedStep; leftId: string; rightId: string }) {
  const isMoved = step.kind === "changed" && step.matchedBy === "work";
  return (
    <li
      className={clsx(
        PAIR,
        "border-b border-l-3 border-b-line border-l-warn pt-1 pb-2.5 pl-3 data-[kind=same]:border-l-line-strong",
      )}
      data-kind={step.kind}
    >
      <p className="col-span-full text-xs font-semibold">
        {KIND_NAMES[step.kind]}
        {isMoved && <span className="soft">{COMPARED_STEPS.moved}</span>}
      </p>
      <Side side={COMPARED_STEPS.left} planId={leftId} step={"left" in step ? step.left : undefined} />
      <Side side={COMPARED_STEPS.right} planId={rightId} step={"right" in step ? step.right : undefined} />
      {step.kind === "changed" && (
        <div className="col-span-full grid grid-cols-1 gap-2">
          {/* Both headers show a status. */}
          <Changes changes={step.changes.filter(({ field }) => field !== "status" && field !== "id")} />
          <Outputs step={step} />
        </div>
      )}
    </li>
  );
}

function Side({ side, planId, step }: { side: string; planId: string; step: StepView | undefined }) {
  if (step === undefined) {
    return (
      <p className="soft">
        <SideName side={side} />
        {COMPARED_STEPS.noSuchStep}
      </p>
    );
  }
  const fields = new URLSearchParams({ step: step.id });
  return (
    <div>
      <p>
        <SideName side={side} />
        <Link href={`/plans/${encodeURIComponent(planId)}?${fields.toString()}`}>
          <code>{step.id}</code> {step.description}
        </Link>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <StatusBadge status={step.status} plain />
        <code>{step.tool}</code>
        {step.durationMs !== undefined && <span>{formatDuration(step.durationMs)}</span>}
        {step.attempt > 1 && <span>{formatCount(step.attempt, "attempt")}</span>}
        {step.carried === true && <span>{COMPARED_STEPS.carriedOver}</span>}
      </p>
    </div>
  );
}

function Outputs({ step }: { step: Extract<ComparedStep, { kind: "same" | "changed" }> }) {
  const { output, left, right } = step;
  if (output === "none") return null;
  if (output === "equal") return <p className="soft">{COMPARED_STEPS.outputSame}</p>;
  if (output === "alike") return <p className="soft">{COMPARED_STEPS.outputAlike}</p>;
  if (output === "one") {
    return (
      <p className="soft">
        {COMPARED_STEPS.outputOnly}{" "}
        {left.output === undefined ? COMPARED_STEPS.onRight : COMPARED_STEPS.onLeft}.
      </p>
    );
  }
  return (
    <details>
      <summary className="mb-1.5 w-fit cursor-pointer text-sm">{COMPARED_STEPS.outputDifferent}</summary>
      <SourceDiff before={outputText(left)} after={outputText(right)} label={COMPARED_STEPS.outputLineDiff} />
    </details>
  );
}

function outputText({ output }: StepView): string {
  if (output === undefined) return "";
  return "value" in output ? textOf(output.value) : output.preview;
}
