import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { PLAN_TRAIL } from "./header-words.ts";

/** Maximum depth of nested plans. */
const DEPTH_MAX = 3;
const GOAL_CHARS_MAX = 60;
const FOLLOW_UPS_MAX = 5;

type Above = { readonly href: string; readonly goal: string; readonly stepId: string };

/**
 * The plans that a plan is linked to: its parent, the plan that it was forked from, runs again or compensates, and the
 * plans that compensate its own late effects.
 */
export function PlanTrail({ view }: { view: PlanView }) {
  const { planId, parent, fork, rerunOf, undoes, effects } = view;
  return (
    <div className="grid gap-1.5 text-sm lg:-mb-1.5 leading-tight text-soft empty:hidden">
      {parent !== undefined && <Parents key={planId} planId={planId} parent={parent} />}
      {fork !== undefined && (
        <StepOf how={PLAN_TRAIL.forkedFrom} planId={fork.planId} stepId={fork.fromStep} />
      )}
      {rerunOf !== undefined && (
        <p>
          {PLAN_TRAIL.reRunOf} <GoalLink planId={rerunOf} />
        </p>
      )}
      {undoes !== undefined && (
        <StepOf how={PLAN_TRAIL.compensates} planId={undoes.planId} stepId={undoes.stepId} />
      )}
      <FollowUps effects={effects} />
    </div>
  );
}

type StepOfProps = { readonly how: string; readonly planId: string; readonly stepId: string };

function StepOf({ how, planId, stepId }: StepOfProps) {
  return (
    <p>
      {how} <Link href={hrefOf({ planId, stepId })}>{PLAN_TRAIL.step(stepId)}</Link> {PLAN_TRAIL.of}{" "}
      <GoalLink planId={planId} />
    </p>
  );
}

/** Effects whose outcome arrived after the plan's end, each with the plan that compensates it. */
function FollowUps({ effects }: Pick<PlanView, "effects">) {
  const late = effects.filter(({ followedUpBy }) => followedUpBy !== undefined);
  return (
    <>
      {late.slice(0, FOLLOW_UPS_MAX).map(({ key, attempt, stepId, followedUpBy }) => (
        <p key={`${key} ${attempt}`}>
          {PLAN_TRAIL.lateEffect(stepId)}{" "}
          <Link href={`/plans/${followedUpBy}`}>{PLAN_TRAIL.openCompensation}</Link>
        </p>
      ))}
      {late.length > FOLLOW_UPS_MAX && <p>{PLAN_TRAIL.moreLateEffects(late.length - FOLLOW_UPS_MAX)}</p>}
    </>
  );
}

function Parents({ planId, parent }: { planId: string; parent: NonNullable<PlanView["parent"]> }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`above ${planId}`, 0, async (signal) => {
    const above: Above[] = [];
    for (let next: PlanView["parent"] = parent; next !== undefined && above.length < DEPTH_MAX; ) {
      const view: PlanView = await gateway.plan(next.planId, signal);
      above.unshift({ href: hrefOf(next), goal: view.goal, stepId: next.stepId });
      next = view.parent;
    }
    return above;
  });
  const above: readonly Above[] =
    loaded.phase === "ready"
      ? loaded.value
      : [{ href: hrefOf(parent), goal: PLAN_TRAIL.parent, stepId: parent.stepId }];
  return (
    <nav className="text-faint" aria-label={PLAN_TRAIL.partOf}>
      <ol className="flex flex-wrap gap-y-0.5">
        {above.map(({ href, goal, stepId }) => (
          <li key={href} className="after:mx-2 after:content-['›'_/_'']">
            <Link href={href} title={goal}>
              {shortened(goal)} <code>{stepId}</code>
            </Link>
          </li>
        ))}
        <li aria-current="page">{PLAN_TRAIL.thisPlan}</li>
      </ol>
    </nav>
  );
}

function GoalLink({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(
    `goal of ${planId}`,
    0,
    async (signal) => (await gateway.plan(planId, signal)).goal,
  );
  const isDeleted = loaded.phase === "failed" && loaded.error.status === 404;
  const instead = isDeleted ? PLAN_TRAIL.aDeletedPlan : PLAN_TRAIL.anotherPlan;
  return (
    <Link href={`/plans/${planId}`}>{loaded.phase === "ready" ? shortened(loaded.value) : instead}</Link>
  );
}

function hrefOf({ planId, stepId }: { planId: string; stepId: string }): string {
  return `/plans/${planId}?step=${encodeURIComponent(stepId)}`;
}

function shortened(goal: string): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}
