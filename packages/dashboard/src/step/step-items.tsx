import type { Origin } from "@planwright/plan/displayed-arguments";
import type { AttemptRecord } from "@planwright/plan/step-history";
import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { lookOf, StatusBadge, PlanStatusBadge, StepStatusBadge } from "../ui/status-badge.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { isSettled } from "../plan/is-settled.ts";
import { OriginLine, StepArguments } from "./step-arguments.tsx";
import { StepAttempts } from "./step-attempts.tsx";
import { More, Row, Rows, RowTitle } from "./step-parts.tsx";
import { searchTo, type StepPlace, useScrolledTo } from "./step-place.ts";
import { StepResult } from "./step-result.tsx";
import { StepTime } from "./step-time.tsx";
import { StepTurns } from "./step-turns.tsx";
import { STEP_ITEMS, SUB_PLAN } from "./step-words.ts";
import { PlanClockContext, usePlanClock } from "../clock/plan-clock.ts";
import type { ServerClock } from "../clock/server-clock.ts";
import { useLivePlan } from "../live/use-live-plan.ts";
import { Link } from "../router/link.tsx";
import { Problem } from "../ui/problem.tsx";
import { PlanProgress } from "../plan-header/plan-progress.tsx";
import { Loading } from "../ui/notice.tsx";

type Item = NonNullable<StepView["items"]>[number];

const ITEMS_STEP = 50;
const WORDS_MAX = 80;

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  readonly items: readonly Item[];
  readonly attempts: readonly AttemptRecord[];
  /** The position inside the step that the address names. */
  readonly place: StepPlace;
  readonly onSelectStep: (id: string) => void;
};

/** The items of a step that runs for each entry of a list, by status; each opens its details. */
export function StepItems({ items, ...about }: Props) {
  const [status, setStatus] = useState<Item["status"]>();
  const [asked, setAsked] = useState(ITEMS_STEP);
  const byStatus = [...Map.groupBy(items, (item) => item.status)];
  const wanted = status === undefined ? items : items.filter((item) => item.status === status);
  const list = referenceOf(about.step);
  const placeAt = wanted.findIndex(({ item }) => item === about.place.item);
  const shown = Math.max(asked, ITEMS_STEP * Math.ceil((placeAt + 1) / ITEMS_STEP));
  return (
    <>
      {list !== undefined && <OriginLine origin={list} onSelectStep={about.onSelectStep} />}
      {byStatus.length > 1 && (
        <div className="flex flex-wrap gap-1.5" role="group" aria-label={STEP_ITEMS.itemsByStatus}>
          <Filter
            label={STEP_ITEMS.all(items.length)}
            on={status === undefined}
            onClick={() => setStatus(undefined)}
          />
          {byStatus.map(([name, those]) => (
            <Filter
              key={name}
              label={`${lookOf(name).label} ${those.length}`}
              on={status === name}
              onClick={() => setStatus(name)}
            />
          ))}
        </div>
      )}
      <Rows>
        {wanted.slice(0, shown).map((item) => (
          <ItemRow key={item.item} item={item} {...about} />
        ))}
      </Rows>
      {wanted.length === 0 && <p className="soft">{STEP_ITEMS.noItemsInThis}</p>}
      {wanted.length > shown && (
        <Button kind="quiet" onClick={() => setAsked(shown + ITEMS_STEP)}>
          {COMMON.showMoreLeft(wanted.length - shown)}
        </Button>
      )}
    </>
  );
}

/** The source of the list; undefined when the plan itself contains it. */
function referenceOf({ forEach }: StepView): Origin | undefined {
  if (forEach === undefined || Array.isArray(forEach)) return undefined;
  const text = String(forEach["$ref"]);
  const stepId = text.split(".output")[0];
  return { text, value: null, ...(stepId === undefined ? {} : { stepId }) };
}

function Filter({ label, on, onClick }: { label: string; on: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="chip aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
      aria-pressed={on}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

function ItemRow({ item, view, step, attempts, place, onSelectStep }: Omit<Props, "items"> & { item: Item }) {
  const isPlace = place.item === item.item;
  const [open, setOpen] = useState(isPlace);
  const row = useScrolledTo<HTMLLIElement>(isPlace && place.turn === undefined);
  const owner = { step: step.id, item: item.item };
  const own = attempts.filter((attempt) => attempt.item === item.item && attempt.undo === undefined);
  return (
    <Row
      ref={row}
      data-testid="item"
      data-status={item.status}
      number={item.item}
      head={<StatusBadge status={item.status} plain />}
      words={wordsOf(item)}
      time={<StepTime step={item} />}
      link={{ search: searchTo(location.search, owner), to: `item ${item.item}` }}
      details={{ open: isPlace, onToggle: (toggle) => setOpen(toggle.currentTarget.open) }}
    >
      {open && (
        <>
          <StepResult planId={view.planId} step={item} canCopy={false} />
          <RowTitle>{STEP_ITEMS.arguments}</RowTitle>
          <StepArguments view={view} step={step} item={item} onSelectStep={onSelectStep} />
          {item.turns !== undefined && (
            <StepTurns
              planId={view.planId}
              owner={owner}
              turns={item.turns}
              wanted={isPlace ? place.turn : undefined}
            />
          )}
          {item.child !== undefined && <SubPlan planId={item.child} depth={1} />}
          <RowTitle>{STEP_ITEMS.attempts}</RowTitle>
          <StepAttempts attempts={own} failedAttempts={item.failedAttempts} isOver={isSettled(item)} />
        </>
      )}
    </Row>
  );
}

function wordsOf({ value, error, reason }: Item): string {
  const words = error?.message ?? reason ?? (value === undefined ? "" : JSON.stringify(value));
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
}

/** Maximum depth of nested plans. */
const DEPTH_MAX = 3;
const STEPS_SHOWN = 50;

/** A sub-plan inside a step: live, with its steps and their sub-plans. */
export function SubPlan({ planId, depth }: { planId: string; depth: number }) {
  const { state, clock, reload } = useLivePlan(planId);
  if (state.phase === "failed") return <Problem error={state.error} again={reload} />;
  if (state.phase === "loading") return <Loading className="h-22.5" what={SUB_PLAN.loadingSubPlan} />;
  return <LiveSubPlan view={state.view} server={clock} depth={depth} />;
}

type LiveProps = { readonly view: PlanView; readonly server: ServerClock; readonly depth: number };

function LiveSubPlan({ view, server, depth }: LiveProps) {
  const { planId } = view;
  const clock = usePlanClock(view, { server, isPast: false });
  return (
    <PlanClockContext value={clock}>
      <div
        className="grid grid-cols-1 gap-2 rounded-md border border-line px-3 py-2.5 text-sm"
        data-testid="sub-plan"
        data-plan={planId}
      >
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <PlanStatusBadge status={view.status} answer={view.answer?.status} />
          <Link href={`/plans/${planId}`}>{view.goal}</Link>
        </p>
        <PlanProgress view={view} />
        <ul className="grid grid-cols-1 gap-1">
          {view.steps.slice(0, STEPS_SHOWN).map((step) => (
            <SubStep key={step.id} planId={planId} step={step} depth={depth} />
          ))}
          {view.steps.length > STEPS_SHOWN && (
            <li>{SUB_PLAN.andMoreSteps(view.steps.length - STEPS_SHOWN)}</li>
          )}
        </ul>
      </div>
    </PlanClockContext>
  );
}

function SubStep({ planId, step, depth }: { planId: string; step: StepView; depth: number }) {
  const [open, setOpen] = useState(false);
  const children = [step.child, ...(step.items ?? []).map((item) => item.child)].filter(
    (child) => child !== undefined,
  );
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
      <StepStatusBadge step={step} plain />
      <Link
        className="truncate"
        href={`/plans/${planId}?step=${encodeURIComponent(step.id)}`}
        title={step.description}
      >
        <code>{step.id}</code> {step.description}
      </Link>{" "}
      <StepTime step={step} />
      {children.length > 0 && depth < DEPTH_MAX && (
        <More
          summary={children.length === 1 ? SUB_PLAN.itsSubPlan : SUB_PLAN.itsSubPlans(children.length)}
          onToggle={(toggle) => setOpen(toggle.currentTarget.open)}
        >
          {open && children.map((child) => <SubPlan key={child} planId={child} depth={depth + 1} />)}
        </More>
      )}
    </li>
  );
}
