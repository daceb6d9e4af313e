import { setSearchFields } from "../router/use-route.ts";
import { Icon } from "../ui/icons.tsx";
import styles from "./plan-page.module.css";

const ID_CHARS_MAX = 70;

/** Says that the step which the address names is not in the plan as it is shown. */
export function StepMissing({ id, isPast }: { id: string; isPast: boolean }) {
  const said = id.length > ID_CHARS_MAX ? `${id.slice(0, ID_CHARS_MAX)}…` : id;
  return (
    <p className={`${styles.stepMissing} card`} role="status">
      <Icon name="alert" size={14} />
      <span>
        {isPast ? "This plan had no step " : "This plan has no step "}
        <code>{said}</code>
        {isPast ? " then." : "."}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label="Close note"
        onClick={() => setSearchFields({ step: undefined, item: undefined, turn: undefined })}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}
