import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { PLAN_TRAIL } from "./header-words.ts";
import styles from "./plan-header.module.css";

/** Plans are nested no deeper. */
const DEPTH_MAX = 3;
const GOAL_CHARS_MAX = 60;
const FOLLOW_UPS_MAX = 5;

type Above = { readonly href: string; readonly goal: string; readonly stepId: string };

/**
 * The plans that a plan is linked to: the one whose step it is, the one it was forked from, runs again or undoes an
 * effect of, and those that undo its own late effects.
 */
export function PlanTrail({ view }: { view: PlanView }) {
  const { planId, parent, fork, rerunOf, undoes, effects } = view;
  return (
    <>
      {parent !== undefined && <Parents key={planId} planId={planId} parent={parent} />}
      {fork !== undefined && (
        <p className={styles.planFork}>
          {PLAN_TRAIL.forkedFrom}{" "}
          <Link href={`/plans/${fork.planId}?step=${encodeURIComponent(fork.fromStep)}`}>
            {PLAN_TRAIL.step(fork.fromStep)}
          </Link>{" "}
          {PLAN_TRAIL.of}{" "}
          <Link href={`/plans/${fork.planId}`}>
            <OtherGoal planId={fork.planId} />
          </Link>
        </p>
      )}
      {rerunOf !== undefined && (
        <p className={styles.planFork}>
          {PLAN_TRAIL.reRunOf}{" "}
          <Link href={`/plans/${rerunOf}`}>
            <OtherGoal planId={rerunOf} />
          </Link>
        </p>
      )}
      {undoes !== undefined && (
        <p className={styles.planFork}>
          {PLAN_TRAIL.compensates}{" "}
          <Link href={`/plans/${undoes.planId}?step=${encodeURIComponent(undoes.stepId)}`}>
            {PLAN_TRAIL.stepOf(undoes.stepId)}
          </Link>{" "}
          {PLAN_TRAIL.of}{" "}
          <Link href={`/plans/${undoes.planId}`}>
            <OtherGoal planId={undoes.planId} />
          </Link>
        </p>
      )}
      <FollowUps effects={effects} />
    </>
  );
}

/** Effects whose outcome came after the plan's end, each with the plan that undoes it. */
function FollowUps({ effects }: Pick<PlanView, "effects">) {
  const late = effects.filter(({ followedUpBy }) => followedUpBy !== undefined);
  return (
    <>
      {late.slice(0, FOLLOW_UPS_MAX).map(({ key, attempt, stepId, followedUpBy }) => (
        <p key={`${key} ${attempt}`} className={styles.planFork}>
          {PLAN_TRAIL.lateEffect(stepId)}{" "}
          <Link href={`/plans/${followedUpBy}`}>{PLAN_TRAIL.openCompensation}</Link>
        </p>
      ))}
      {late.length > FOLLOW_UPS_MAX && (
        <p className={styles.planFork}>{PLAN_TRAIL.moreLateEffects(late.length - FOLLOW_UPS_MAX)}</p>
      )}
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
    <nav className={styles.planTrail} aria-label={PLAN_TRAIL.partOf}>
      <ol>
        {above.map(({ href, goal, stepId }) => (
          <li key={href}>
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

function OtherGoal({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(
    `goal of ${planId}`,
    0,
    async (signal) => (await gateway.plan(planId, signal)).goal,
  );
  if (loaded.phase === "ready") return shortened(loaded.value);
  return loaded.phase === "failed" && loaded.error.status === 404
    ? PLAN_TRAIL.aDeletedPlan
    : PLAN_TRAIL.anotherPlan;
}

function hrefOf({ planId, stepId }: NonNullable<PlanView["parent"]>): string {
  return `/plans/${planId}?step=${encodeURIComponent(stepId)}`;
}

function shortened(goal: string): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}
