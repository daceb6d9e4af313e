import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { COMPARE_LINK } from "./compare-words.ts";

/** Where this plan is compared with another one, which is chosen there. */
export function compareHref(planId: string): string {
  return `/compare?${new URLSearchParams({ left: planId }).toString()}`;
}

/** To a fork or a re-run beside the plan that it came from. */
export function CompareWithOriginLink({ view }: { view: PlanView }) {
  const origin = view.fork?.planId ?? view.rerunOf;
  if (origin === undefined) return null;
  const fields = new URLSearchParams({ left: origin, right: view.planId });
  return <Link href={`/compare?${fields.toString()}`}>{COMPARE_LINK.compareWithOriginal}</Link>;
}
