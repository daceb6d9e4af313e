import clsx from "clsx";
import { useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { compareHref } from "../compare/compare-link.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/use-route.ts";
import { useMay } from "../sign-in/caller.ts";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { Popup } from "../ui/popup.tsx";
import { CANCEL_BUTTON, DELETE_BUTTON, HEADER_WORDS, MENU_WORDS } from "./header-words.ts";
import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { useCopy } from "../ui/copy-button.tsx";
import { planAsMarkdown, planAsMermaid } from "@planwright/plan/export";
import { saveAs } from "../ui/save-link.tsx";

type Props = {
  readonly view: PlanView;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

const ITEM =
  "flex min-h-8.5 w-full items-center justify-start gap-2 rounded-md border-0 bg-transparent px-2.5 py-1 text-left text-sm font-normal text-ink no-underline hover:bg-sunken";

type MenuAction = { readonly label: string; readonly run: () => void };

/** Less frequent actions on a plan; the palette offers them too. */
export function PlanMenu({ view, onChanged, onHistory }: Props) {
  const { planId, traceId } = view;
  const { mayEdit, mayCancel, mayDelete } = usePermitted(view);
  const [isOpen, setOpen] = useState(false);
  // Shows the confirmation that was requested from the palette.
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
        const item = (action: MenuAction) => <Item key={action.label} action={action} close={close} />;
        return (
          <div className="-m-1.5 grid">
            {mayEdit && (
              <Link className={ITEM} href={editing}>
                {MENU_WORDS.edit}
              </Link>
            )}
            {item(history)}
            <Link className={ITEM} href={comparing}>
              {MENU_WORDS.compare}
            </Link>
            <Rule />
            <CopyItem label={MENU_WORDS.copyLink} text={() => location.href} />
            <CopyItem label={MENU_WORDS.copyPlanId} text={() => planId} />
            <CopyItem label={MENU_WORDS.copyTraceId} text={() => traceId} />
            <ViewerLink className={ITEM} traceId={traceId} />
            <Rule />
            {saving.map(item)}
            {(mayCancel || mayDelete) && <Rule />}
            {mayCancel && <CancelButton planId={planId} asks={asks} onCancelled={onChanged} />}
            {mayDelete && <DeleteButton key={planId} planId={planId} asks={asks} />}
          </div>
        );
      }}
    </Popup>
  );
}

function Item({ action: { label, run }, close }: { action: MenuAction; close: () => void }) {
  const choose = () => {
    close();
    run();
  };
  return (
    <button type="button" className={ITEM} onClick={choose}>
      {label}
    </button>
  );
}

function Rule() {
  return <hr className="my-1 w-full border-0 border-t border-line" />;
}

function usePermitted({ ended, parent }: PlanView) {
  const may = useMay();
  return {
    mayEdit: ended && may("rerunPlan"),
    mayCancel: !ended && may("cancelPlan"),
    mayDelete: ended && parent === undefined && may("deletePlan"),
  };
}

type CancelButtonProps = {
  readonly planId: string;
  /** Asks for confirmation as soon as it is shown. */
  readonly asks: boolean;
  readonly onCancelled: () => void;
};

/** Cancels the plan, after a second click: running steps are stopped and cannot be resumed. */
function CancelButton({ planId, asks, onCancelled }: CancelButtonProps) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      className={clsx(ITEM, "text-bad!")}
      label={CANCEL_BUTTON.cancelPlan}
      asks={asks}
      busyLabel={CANCEL_BUTTON.cancelling}
      question={CANCEL_BUTTON.cancelThisPlan}
      yes={CANCEL_BUTTON.yesCancel}
      no={CANCEL_BUTTON.keepRunning}
      act={(signal) => gateway.cancel(planId, signal)}
      onDone={onCancelled}
    />
  );
}

/** A menu item that copies a text and confirms it; absent where the browser has no clipboard (plain HTTP). */
function CopyItem({ label, text }: { readonly label: string; readonly text: () => string }) {
  const clipboard = useCopy();
  if (clipboard === undefined) return null;
  const { isCopied, copy } = clipboard;
  return (
    <button type="button" className={ITEM} onClick={() => copy(text())}>
      {label}
      {isCopied && (
        <span className="ml-auto text-xs text-ok" role="status">
          <Icon name="check" size={13} /> {MENU_WORDS.copied}
        </span>
      )}
    </button>
  );
}

/** Deletes an ended plan, after a second click, and shows the list. @param asks - Asks as soon as it is shown. */
function DeleteButton({ planId, asks }: { planId: string; asks: boolean }) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      className={clsx(ITEM, "text-bad!")}
      label={DELETE_BUTTON.delete}
      action={DELETE_BUTTON.deletePlan}
      asks={asks}
      busyLabel={DELETE_BUTTON.deleting}
      question={DELETE_BUTTON.question}
      yes={DELETE_BUTTON.yesDeletePermanently}
      no={DELETE_BUTTON.keepIt}
      act={async (signal) => {
        await gateway.deletePlan(planId, signal);
        navigate("/");
      }}
    />
  );
}

const EXPORTS = ["Markdown", "Mermaid", "Json"] as const;
type ExportFormat = (typeof EXPORTS)[number];

const FILES: Readonly<
  Record<
    ExportFormat,
    { readonly ending: string; readonly type: string; readonly text: (view: PlanView) => string }
  >
> = {
  Markdown: { ending: "md", type: "text/markdown", text: planAsMarkdown },
  Mermaid: { ending: "mmd", type: "text/plain", text: planAsMermaid },
  Json: { ending: "json", type: "application/json", text: (view) => `${JSON.stringify(view, null, 2)}\n` },
};

/** Saves a plan as it is shown. */
function exportPlan(view: PlanView, format: ExportFormat): void {
  const { ending, type, text } = FILES[format];
  saveAs(`plan-${view.planId}.${ending}`, new Blob([text(view)], { type: `${type};charset=utf-8` }));
}
