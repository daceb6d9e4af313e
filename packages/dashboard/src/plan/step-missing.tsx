import { setSearchFields } from "../router/use-route.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { STEP_MISSING } from "./plan-words.ts";
import styles from "./plan-page.module.css";

const ID_CHARS_MAX = 70;

/** Says that the step which the address names is not in the plan as it is shown. */
export function StepMissing({ id, isPast }: { id: string; isPast: boolean }) {
  const said = id.length > ID_CHARS_MAX ? `${id.slice(0, ID_CHARS_MAX)}…` : id;
  return (
    <p className={`${styles.stepMissing} card`} role="status">
      <Icon name="alert" size={14} />
      <span>
        {isPast ? STEP_MISSING.thisPlanHadNo : STEP_MISSING.thisPlanHasNo}
        <code>{said}</code>
        {isPast ? STEP_MISSING.atEvent : "."}
      </span>
      <IconButton
        icon="close"
        label={STEP_MISSING.closeNote}
        onClick={() => setSearchFields({ step: undefined, item: undefined, turn: undefined })}
      />
    </p>
  );
}
