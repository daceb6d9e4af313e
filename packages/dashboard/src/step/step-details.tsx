/** The sections of a step's details, the most important first. */
import { stepHistory, type StepHistory } from "@planwright/plan/step-history";
import { whyWaiting } from "@planwright/plan/why-waiting";
import { type ReactNode, useMemo, useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { useMay } from "../sign-in/caller.ts";
import { Icon } from "../ui/icons.tsx";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { COMMON } from "../ui/ui-words.ts";
import type { Loaded } from "../ui/use-loaded.ts";
import { ArtifactView } from "../values/artifact-view.tsx";
import { isSettled } from "../plan/is-settled.ts";
import { usePlanLog } from "../plan/plan-log.ts";
import { StepArguments } from "./step-arguments.tsx";
import { StepAttempts } from "./step-attempts.tsx";
import { StepEffects } from "./step-effects.tsx";
import { StepFacts } from "./step-facts.tsx";
import { StepItems, SubPlan } from "./step-items.tsx";
import { StepModelCalls, useStepSpans, type StepSpans } from "./step-model-calls.tsx";
import { PART_TITLE, Remark } from "./step-parts.tsx";
import { type StepPlace, turnNumbers } from "./step-place.ts";
import { StepResult } from "./step-result.tsx";
import { StepDecisions, StepReviews, StepTies } from "./step-reviews.tsx";
import { StepTools } from "./step-tools.tsx";
import { StepTurns } from "./step-turns.tsx";
import { STEP_DETAILS, FORK_FORM } from "./step-words.ts";
import { useAction } from "../api/use-action.ts";
import { readEdits, EditsField } from "../approvals/edits-field.tsx";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  /** The position inside the step that the address names. */
  readonly place: StepPlace;
  readonly onSelectStep: (id: string | undefined) => void;
};

const FILES_SHOWN = 30;

export function StepDetails({ view, step, place, onSelectStep }: Props) {
  const { planId } = view;
  const may = useMay();
  const loaded = useStepHistory(view, step.id);
  const history = loaded.phase === "ready" ? loaded.value : undefined;
  const spans = useStepSpans(planId, step);
  const traced = spans.phase === "ready" ? spans.value : undefined;
  const effects = view.effects.filter((effect) => effect.stepId === step.id);
  const decisions = view.approvals.filter((approval) => approval.stepId === step.id);
  const { items, turns = [], reviews = [], child } = step;
  return (
    <>
      <StepWaiting view={view} step={step} />
      <StepResult planId={planId} step={step} />
      <Files planId={planId} step={step} history={history} />
      {child !== undefined && (
        <StepSection title={STEP_DETAILS.subPlan}>
          <SubPlan planId={child} depth={1} />
        </StepSection>
      )}
      <StepSection title={STEP_DETAILS.arguments}>
        <StepArguments view={view} step={step} onSelectStep={onSelectStep} />
      </StepSection>
      {items !== undefined && (
        <StepSection title={STEP_DETAILS.items} note={itemsText(step)}>
          <StepItems
            view={view}
            step={step}
            items={items}
            place={place}
            attempts={history?.attempts ?? []}
            onSelectStep={onSelectStep}
          />
        </StepSection>
      )}
      {turns.length > 0 && (
        <StepSection title={STEP_DETAILS.turns} note={String(turnNumbers(turns).length)}>
          <StepTurns planId={planId} owner={{ step: step.id }} turns={turns} wanted={place.turn} />
        </StepSection>
      )}
      {items === undefined && <Attempts loaded={loaded} step={step} />}
      {effects.length > 0 && (
        <StepSection title={STEP_DETAILS.effects} note={String(effects.length)}>
          <StepEffects effects={effects} />
        </StepSection>
      )}
      {decisions.length > 0 && (
        <StepSection title={STEP_DETAILS.approvals} note={String(decisions.length)}>
          <StepDecisions approvals={decisions} />
        </StepSection>
      )}
      {reviews.length > 0 && (
        <StepSection title={STEP_DETAILS.reviews} note={String(reviews.length)}>
          <StepReviews reviews={reviews} />
        </StepSection>
      )}
      <ModelCalls planId={planId} spans={spans} used={history?.usage.modelCalls ?? 0} />
      <StepSection title={STEP_DETAILS.about}>
        <StepFacts step={step} critical={view.criticalPath.stepIds.includes(step.id)} history={history} />
        <StepTies view={view} step={step} onSelectStep={onSelectStep} />
        <StepTools view={view} step={step} history={history} spanId={traced?.toolSpanId} />
      </StepSection>
      {may("forkPlan") && <ForkForm view={view} step={step} />}
    </>
  );
}

type ModelCallsProps = {
  readonly planId: string;
  readonly spans: Loaded<StepSpans>;
  /** The number of calls in the log. */
  readonly used: number;
};

function ModelCalls({ planId, spans, used }: ModelCallsProps) {
  const calls = spans.phase === "ready" ? spans.value.calls : [];
  if (used === 0 && calls.length === 0) return null;
  return (
    <StepSection title={STEP_DETAILS.modelCalls} note={String(Math.max(used, calls.length))}>
      {spans.phase === "loading" && <Loading className="h-15" what={STEP_DETAILS.loadingModelCalls} />}
      {spans.phase === "failed" && <Problem error={spans.error} again={spans.again} />}
      {spans.phase === "ready" && calls.length === 0 && <p className="soft">{STEP_DETAILS.noModelCalls}</p>}
      {calls.length > 0 && <StepModelCalls planId={planId} calls={calls} />}
    </StepSection>
  );
}

function Attempts({ loaded, step }: { loaded: Loaded<StepHistory>; step: StepView }) {
  const isOver = isSettled(step);
  if (loaded.phase === "ready" && loaded.value.attempts.length === 0) return null;
  return (
    <StepSection
      title={STEP_DETAILS.attempts}
      note={loaded.phase === "ready" ? String(loaded.value.attempts.length) : undefined}
    >
      {loaded.phase === "loading" && <Loading className="h-15" what={STEP_DETAILS.loadingLog} />}
      {loaded.phase === "failed" && <Problem error={loaded.error} again={loaded.again} />}
      {loaded.phase === "ready" && (
        <StepAttempts attempts={loaded.value.attempts} failedAttempts={step.failedAttempts} isOver={isOver} />
      )}
    </StepSection>
  );
}

type FilesProps = { planId: string; step: StepView; history: StepHistory | undefined };

/** The files that the step wrote; those that its output names are shown there instead. */
function Files({ planId, step, history }: FilesProps) {
  const told = JSON.stringify(step.output ?? null);
  const files = (history?.files ?? []).filter(({ name }) => !told.includes(JSON.stringify(name)));
  if (files.length === 0) return null;
  return (
    <StepSection title={STEP_DETAILS.files} note={String(files.length)}>
      {files.slice(0, FILES_SHOWN).map((file) => (
        <ArtifactView key={file.name} planId={planId} artifact={file} />
      ))}
      {files.length > FILES_SHOWN && <p className="soft">{COMMON.andMore(files.length - FILES_SHOWN)}</p>}
    </StepSection>
  );
}

function useStepHistory(view: PlanView, stepId: string): Loaded<StepHistory> {
  const log = usePlanLog(view);
  const events = log.phase === "ready" ? log.value : undefined;
  const history = useMemo(
    () =>
      events &&
      stepHistory(
        events.map(({ event }) => event),
        stepId,
      ),
    [events, stepId],
  );
  if (log.phase !== "ready") return log;
  return history === undefined ? { phase: "loading" } : { phase: "ready", value: history };
}

type StepSectionProps = {
  readonly title: string;
  /** Shown beside the title: a count, or the progress. */
  readonly note?: string | undefined;
  readonly open?: boolean;
  readonly children: ReactNode;
};

/** A collapsible section of a step's details. */
function StepSection({ title, note, open = true, children }: StepSectionProps) {
  return (
    <details className="group" data-part="step-section" open={open}>
      <summary className="flex cursor-pointer list-none items-baseline gap-2 py-0.5 marker:hidden">
        <Icon className="flex-none self-center text-faint group-open:rotate-90" name="chevron" size={11} />
        <h3 className={PART_TITLE}>{title}</h3>
        {note !== undefined && <span className="text-xs text-faint">{note}</span>}
      </summary>
      <div className="grid grid-cols-1 gap-2.5 pt-2">{children}</div>
    </details>
  );
}

/** Why the step is not running yet. */
function StepWaiting({ view, step }: { readonly view: PlanView; readonly step: StepView }) {
  const words = whyWaiting(view, step, usePlanNow());
  return words === undefined ? null : <Remark icon="clock" words={words} data-testid="why-waiting" />;
}

/** The progress of a step that runs for each entry of a list: `3 of 5 done, 1 failed`; undefined for any other step. */
export function itemsText({ items }: Pick<StepView, "items">): string | undefined {
  if (items === undefined) return undefined;
  const count = (status: string): number => items.filter((item) => item.status === status).length;
  const parts = [`${count("succeeded")} of ${items.length} done`];
  for (const status of ["running", "queued", "failed", "awaiting-approval"]) {
    if (count(status) > 0)
      parts.push(`${count(status)} ${status === "awaiting-approval" ? "to approve" : status}`);
  }
  return parts.join(", ");
}

const LABEL = FORK_FORM.arguments;

/** Forks the plan from a finished step. */
function ForkForm({ view, step }: { view: PlanView; step: StepView }) {
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
    <form className="grid grid-cols-1 gap-2.5" onSubmit={(event) => event.preventDefault()}>
      <EditsField label={LABEL} text={text} edits={edits} onChange={setText} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy || edits.kind === "invalid"} onClick={() => void fork()}>
          {edits.kind === "changed" ? FORK_FORM.forkWithTheseArguments : FORK_FORM.fork}
        </Button>
        <Button onClick={() => setText(undefined)}>{FORK_FORM.dismiss}</Button>
      </div>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
}
