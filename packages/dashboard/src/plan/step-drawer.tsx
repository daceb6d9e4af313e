import "./step.css";
import type { PlanView, StepView } from "../api/api-types.ts";
import { useDialogFocus } from "../ui/use-dialog-focus.ts";
import { Icon } from "../ui/icons.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { StepDetails } from "./step-details.tsx";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  /** The plan is shown as it was. */
  readonly isPast: boolean;
  readonly onSelectStep: (id: string | undefined) => void;
};

/** Everything about one step, beside the plan. Escape closes it. */
export function StepDrawer({ view, step, isPast, onSelectStep }: Props) {
  const close = () => onSelectStep(undefined);
  const heading = useDialogFocus<HTMLHeadingElement>(close);
  return (
    <aside className="drawer" aria-labelledby="step-title" data-testid="step-drawer">
      <header className="drawer-head">
        <div>
          <h2 id="step-title" tabIndex={-1} ref={heading}>
            {step.description === "" ? step.id : step.description}
          </h2>
          <p className="drawer-meta">
            <StatusBadge status={step.status} />
            <code>{step.id}</code>
            <code>{step.tool}</code>
          </p>
        </div>
        <button type="button" className="icon-button" aria-label="Close the step" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="drawer-body">
        <StepDetails view={view} step={step} isPast={isPast} onSelectStep={onSelectStep} />
      </div>
    </aside>
  );
}
