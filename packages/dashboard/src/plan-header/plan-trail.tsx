import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";
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
          Forked from{" "}
          <Link href={`/plans/${fork.planId}?step=${encodeURIComponent(fork.fromStep)}`}>
            step {fork.fromStep}
          </Link>{" "}
          of{" "}
          <Link href={`/plans/${fork.planId}`}>
            <OtherGoal planId={fork.planId} />
          </Link>
        </p>
      )}
      {rerunOf !== undefined && (
        <p className={styles.planFork}>
          Re-run of{" "}
          <Link href={`/plans/${rerunOf}`}>
            <OtherGoal planId={rerunOf} />
          </Link>
        </p>
      )}
      {undoes !== undefined && (
        <p className={styles.planFork}>
          Undoes the effect of{" "}
          <Link href={`/plans/${undoes.planId}?step=${encodeURIComponent(undoes.stepId)}`}>
            step {undoes.stepId}
          </Link>{" "}
          of{" "}
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
          Step {stepId} took effect, or may have, after this plan had ended:{" "}
          <Link href={`/plans/${followedUpBy}`}>open the compensating plan</Link>
        </p>
      ))}
      {late.length > FOLLOW_UPS_MAX && (
        <p className={styles.planFork}>
          and {late.length - FOLLOW_UPS_MAX} more late effects: see their steps
        </p>
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
      : [{ href: hrefOf(parent), goal: "its plan", stepId: parent.stepId }];
  return (
    <nav className={styles.planTrail} aria-label="Part of">
      <ol>
        {above.map(({ href, goal, stepId }) => (
          <li key={href}>
            <Link href={href} title={goal}>
              {shortened(goal)} <code>{stepId}</code>
            </Link>
          </li>
        ))}
        <li aria-current="page">this plan</li>
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
  return loaded.phase === "failed" && loaded.error.status === 404 ? "a deleted plan" : "another plan";
}

function hrefOf({ planId, stepId }: NonNullable<PlanView["parent"]>): string {
  return `/plans/${planId}?step=${encodeURIComponent(stepId)}`;
}

function shortened(goal: string): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}
