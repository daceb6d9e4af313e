import type { PlanView, StepView } from "../api/api-types.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyLink } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { StepStatusBadge } from "../ui/status-badge.tsx";
import { useDialogFocus } from "../ui/use-dialog-focus.ts";
import { StepDetails } from "./step-details.tsx";
import { searchTo, useStepPlace } from "./step-place.ts";
import { StepTime } from "./step-time.tsx";
import { STEP_DRAWER } from "./step-words.ts";
import stepDrawerStyles from "./step-drawer.module.css";
import stepStyles from "./step.module.css";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  readonly onSelectStep: (id: string | undefined) => void;
};

/** Everything about one step, beside the plan. Escape closes it. */
export function StepDrawer({ view, step, onSelectStep }: Props) {
  const close = () => onSelectStep(undefined);
  const place = useStepPlace(step);
  const heading = useDialogFocus<HTMLHeadingElement>(close);
  return (
    <aside
      className={stepDrawerStyles.drawer}
      data-part="drawer"
      aria-labelledby="step-title"
      data-testid="step-drawer"
    >
      <header className={stepDrawerStyles.drawerHead}>
        <div>
          <h2 id="step-title" tabIndex={-1} ref={heading}>
            {step.description === "" ? step.id : step.description}
          </h2>
          <p className={stepDrawerStyles.drawerMeta}>
            <StepStatusBadge step={step} />
            <StepTime step={step} />
            <code>{step.id}</code>
            <code>{step.tool}</code>
          </p>
        </div>
        <div className={stepDrawerStyles.drawerButtons}>
          <CopyLink search={searchTo(location.search, { step: step.id })} to={STEP_DRAWER.thisStep} />
          <IconButton icon="close" label={STEP_DRAWER.closeStep} onClick={close} />
        </div>
      </header>
      <div className={stepDrawerStyles.drawerBody} data-part="drawer-body">
        {place.problem !== undefined && (
          <p className={stepStyles.stepWaiting} role="status" data-testid="place-problem">
            <Icon name="alert" size={14} />
            <span>{place.problem}</span>
          </p>
        )}
        <StepDetails view={view} step={step} place={place} onSelectStep={onSelectStep} />
      </div>
    </aside>
  );
}
