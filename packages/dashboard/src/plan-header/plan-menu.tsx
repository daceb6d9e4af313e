import type { PlanView } from "../api/api-types.ts";
import { compareHref } from "../compare/compare-link.tsx";
import { Link } from "../router/link.tsx";
import { useMay } from "../sign-in/caller.ts";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { Popup } from "../ui/popup.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { CopyItem } from "./copy-item.tsx";
import { DeleteButton } from "./delete-button.tsx";
import { EXPORTS, exportPlan } from "./export-plan.ts";
import { HEADER_WORDS, MENU_WORDS } from "./header-words.ts";

type Props = {
  readonly view: PlanView;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

/** What is wanted of a plan now and then. */
export function PlanMenu({ view, onChanged, onHistory }: Props) {
  const may = useMay();
  const { planId, traceId, ended } = view;
  return (
    <Popup label={HEADER_WORDS.more} icon="more">
      {(close) => {
        const closing = (act: () => void) => () => {
          close();
          act();
        };
        return (
          <div className="plan-menu">
            {ended && may("rerunPlan") && (
              <Link href={`/?${new URLSearchParams({ rerun: planId }).toString()}`}>{MENU_WORDS.edit}</Link>
            )}
            <button type="button" onClick={closing(onHistory)}>
              {MENU_WORDS.history}
            </button>
            <Link href={compareHref(planId)}>{MENU_WORDS.compare}</Link>
            <hr />
            <CopyItem label={MENU_WORDS.copyLink} text={() => location.href} />
            <CopyItem label={MENU_WORDS.copyPlanId} text={() => planId} />
            <CopyItem label={MENU_WORDS.copyTraceId} text={() => traceId} />
            <ViewerLink traceId={traceId} />
            <hr />
            {EXPORTS.map((format) => (
              <button key={format} type="button" onClick={closing(() => exportPlan(view, format))}>
                {MENU_WORDS[`export${format}`]}
              </button>
            ))}
            <button type="button" onClick={closing(() => print())}>
              {MENU_WORDS.print}
            </button>
            {!ended && may("cancelPlan") && (
              <>
                <hr />
                <CancelButton planId={planId} onCancelled={onChanged} />
              </>
            )}
            {ended && view.parent === undefined && may("deletePlan") && (
              <>
                <hr />
                <DeleteButton key={planId} planId={planId} />
              </>
            )}
          </div>
        );
      }}
    </Popup>
  );
}
