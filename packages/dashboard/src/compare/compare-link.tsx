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

/** To a fork or a re-run beside the plan that it came from. */
export function CompareWithOriginLink({ view }: { view: PlanView }) {
  const origin = view.fork?.planId ?? view.rerunOf;
  if (origin === undefined) return null;
  const fields = new URLSearchParams({ left: origin, right: view.planId });
  return <Link href={`/compare?${fields.toString()}`}>compare with original</Link>;
}
