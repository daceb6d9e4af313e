import type { PlanView } from "../api/api-types.ts";
import { useKeys } from "../keys/use-keys.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/use-route.ts";

/** To this plan beside another one, which is chosen there. */
export function CompareLink({ view }: { view: PlanView }) {
  const comparing = `/compare?${new URLSearchParams({ left: view.planId }).toString()}`;
  useKeys([{ label: "Compare with…", run: () => navigate(comparing) }]);
  return (
    <Link className="button" href={comparing}>
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
