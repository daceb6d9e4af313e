import { useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { compareHref } from "../compare/compare-link.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/use-route.ts";
import { useMay } from "../sign-in/caller.ts";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { Popup } from "../ui/popup.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { CopyItem } from "./copy-item.tsx";
import { DeleteButton } from "./delete-button.tsx";
import { EXPORTS, exportPlan } from "./export-plan.ts";
import { HEADER_WORDS, MENU_WORDS } from "./header-words.ts";
import styles from "./plan-header.module.css";

type Props = {
  readonly view: PlanView;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

type MenuAction = { readonly label: string; readonly run: () => void };

/** What is wanted of a plan now and then; the palette offers it too. */
export function PlanMenu({ view, onChanged, onHistory }: Props) {
  const { planId, traceId } = view;
  const { mayEdit, mayCancel, mayDelete } = usePermitted(view);
  const [isOpen, setOpen] = useState(false);
  // A question that the palette has asked for is asked here.
  const [asks, setAsks] = useState(false);
  const ask = () => {
    setAsks(true);
    setOpen(true);
  };
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) setAsks(false);
  };
  const editing = `/?${new URLSearchParams({ rerun: planId }).toString()}`;
  const comparing = compareHref(planId);
  const history = { label: MENU_WORDS.history, run: onHistory };
  const saving = [
    ...EXPORTS.map((format) => ({
      label: MENU_WORDS[`export${format}`],
      run: () => exportPlan(view, format),
    })),
    { label: MENU_WORDS.print, run: () => print() },
  ];
  useKeys([
    ...(mayEdit ? [{ label: MENU_WORDS.edit, run: () => navigate(editing) }] : []),
    history,
    { label: MENU_WORDS.compare, run: () => navigate(comparing) },
    ...saving,
    ...(mayCancel ? [{ label: MENU_WORDS.cancel, run: ask }] : []),
    ...(mayDelete ? [{ label: MENU_WORDS.delete, run: ask }] : []),
  ]);
  return (
    <Popup label={HEADER_WORDS.more} icon="more" state={[isOpen, change]}>
      {(close) => {
        const item = ({ label, run }: MenuAction) => (
          <button
            key={label}
            type="button"
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
          </button>
        );
        return (
          <div className={styles.planMenu}>
            {mayEdit && <Link href={editing}>{MENU_WORDS.edit}</Link>}
            {item(history)}
            <Link href={comparing}>{MENU_WORDS.compare}</Link>
            <hr />
            <CopyItem label={MENU_WORDS.copyLink} text={() => location.href} />
            <CopyItem label={MENU_WORDS.copyPlanId} text={() => planId} />
            <CopyItem label={MENU_WORDS.copyTraceId} text={() => traceId} />
            <ViewerLink traceId={traceId} />
            <hr />
            {saving.map(item)}
            {(mayCancel || mayDelete) && <hr />}
            {mayCancel && <CancelButton planId={planId} asks={asks} onCancelled={onChanged} />}
            {mayDelete && <DeleteButton key={planId} planId={planId} asks={asks} />}
          </div>
        );
      }}
    </Popup>
  );
}

function usePermitted({ ended, parent }: PlanView) {
  const may = useMay();
  return {
    mayEdit: ended && may("rerunPlan"),
    mayCancel: !ended && may("cancelPlan"),
    mayDelete: ended && parent === undefined && may("deletePlan"),
  };
}
