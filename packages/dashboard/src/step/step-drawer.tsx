import type { PlanView, StepView } from "../api/api-types.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyLink } from "../ui/copy-button.tsx";
import { StepStatusBadge } from "../ui/status-badge.tsx";
import { useDialogFocus } from "../ui/use-dialog-focus.ts";
import { DrawerFrame } from "./drawer-frame.tsx";
import { StepDetails } from "./step-details.tsx";
import { Remark } from "./step-parts.tsx";
import { searchTo, useStepPlace } from "./step-place.ts";
import { StepTime } from "./step-time.tsx";
import { STEP_DRAWER } from "./step-words.ts";

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
    <DrawerFrame aria-labelledby="step-title" data-testid="step-drawer">
      <header className="flex items-start justify-between gap-3 border-b border-line py-4 pr-3.5 pl-5.5 max-lg:px-4">
        <div>
          <h2 className="text-lg outline-none" id="step-title" tabIndex={-1} ref={heading}>
            {step.description === "" ? step.id : step.description}
          </h2>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-soft">
            <StepStatusBadge step={step} />
            <StepTime step={step} />
            <code>{step.id}</code>
            <code>{step.tool}</code>
          </p>
        </div>
        <div className="flex flex-none">
          <CopyLink search={searchTo(location.search, { step: step.id })} to={STEP_DRAWER.thisStep} />
          <IconButton icon="close" label={STEP_DRAWER.closeStep} onClick={close} />
        </div>
      </header>
      <div
        className="grid grid-cols-1 content-start gap-5.5 overflow-y-auto px-5.5 pt-4.5 pb-10 max-lg:px-4"
        data-part="drawer-body"
      >
        {place.problem !== undefined && (
          <Remark icon="alert" words={place.problem} role="status" data-testid="place-problem" />
        )}
        <StepDetails view={view} step={step} place={place} onSelectStep={onSelectStep} />
      </div>
    </DrawerFrame>
  );
}
