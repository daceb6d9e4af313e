import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";

/** To this plan beside another one, which is chosen there. */
export function CompareLink({ view }: { view: PlanView }) {
  return (
    <Link className="button" href={`/compare?${new URLSearchParams({ left: view.planId }).toString()}`}>
      Compare with…
    </Link>
  );
}

/** To a fork beside the plan that it was forked from. */
export function CompareWithOriginLink({ view }: { view: PlanView }) {
  if (view.fork === undefined) return null;
  const fields = new URLSearchParams({ left: view.fork.planId, right: view.planId });
  return <Link href={`/compare?${fields.toString()}`}>compare with its origin</Link>;
}
