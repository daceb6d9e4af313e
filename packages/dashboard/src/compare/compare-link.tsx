import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { COMPARE_LINK } from "./compare-words.ts";

/** Links to the comparison of this plan with another one, which the user chooses there. */
export function compareHref(planId: string): string {
  return `/compare?${new URLSearchParams({ left: planId }).toString()}`;
}

/** Links a fork or re-run to its comparison with the original plan. */
export function CompareWithOriginLink({ view }: { view: PlanView }) {
  const origin = view.fork?.planId ?? view.rerunOf;
  if (origin === undefined) return null;
  const fields = new URLSearchParams({ left: origin, right: view.planId });
  return <Link href={`/compare?${fields.toString()}`}>{COMPARE_LINK.compareWithOriginal}</Link>;
}
