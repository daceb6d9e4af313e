import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";

/** Plans are nested no deeper. */
const DEPTH_MAX = 3;
const GOAL_CHARS_MAX = 60;

type Above = { readonly href: string; readonly goal: string; readonly stepId: string };

/** Where a plan comes from: the step whose sub-plan it is, the plan it was forked from, or the plan it runs again. */
export function PlanTrail({ view: { planId, parent, fork, rerunOf } }: { view: PlanView }) {
  if (parent === undefined && fork === undefined && rerunOf === undefined) return null;
  return (
    <>
      {parent !== undefined && <Parents key={planId} planId={planId} parent={parent} />}
      {fork !== undefined && (
        <p className="plan-fork">
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
        <p className="plan-fork">
          Re-run of{" "}
          <Link href={`/plans/${rerunOf}`}>
            <OtherGoal planId={rerunOf} />
          </Link>
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
    <nav className="plan-trail" aria-label="Part of">
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
  return loaded.phase === "ready" ? shortened(loaded.value) : "another plan";
}

function hrefOf({ planId, stepId }: NonNullable<PlanView["parent"]>): string {
  return `/plans/${planId}?step=${encodeURIComponent(stepId)}`;
}

function shortened(goal: string): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}
