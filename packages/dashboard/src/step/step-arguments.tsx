import type { Origin } from "@planwright/plan/displayed-arguments";
import { type StepInput, stepInputs } from "@planwright/plan/step-inputs";
import type { Json, PlanView, StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { JsonView } from "../values/json-view.tsx";
import { ShortValue } from "../values/short-value.tsx";
import { STEP_ARGUMENTS } from "./step-words.ts";
import styles from "./step.module.css";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  /** Of one run of a step that runs for each of a list. */
  readonly item?: { readonly item: number; readonly value?: Json | undefined };
  readonly onSelectStep: (id: string) => void;
};

/** A step's arguments: what each became, where it came from, and what a person has made of it. */
export function StepArguments({ view, step, item, onSelectStep }: Props) {
  const inputs = stepInputs(view, step, item);
  if (inputs.length === 0) return <p className="soft">{STEP_ARGUMENTS.noArguments}</p>;
  return (
    <dl className={styles.inputs}>
      {inputs.map((input) => (
        <Input key={input.name} input={input} onSelectStep={onSelectStep} />
      ))}
    </dl>
  );
}

type InputProps = { readonly input: StepInput; readonly onSelectStep: (id: string) => void };

function Input({ input, onSelectStep }: InputProps) {
  const { name, planned, value, origins, editedBy } = input;
  return (
    <div className={styles.input} data-part="input">
      <dt>
        <code>{name}</code>
        {editedBy !== undefined && (
          <span className="badge tone-warn">
            <Icon name="planning" size={12} /> {STEP_ARGUMENTS.editedBy(editedBy)}
          </span>
        )}
      </dt>
      <dd>
        {value === undefined ? (
          <p className="soft">{STEP_ARGUMENTS.removed}</p>
        ) : (
          <ShortValue value={value} />
        )}
        {origins.length === 0 && editedBy === undefined && (
          <p className={styles.inputOrigin}>{STEP_ARGUMENTS.literalValue}</p>
        )}
        {editedBy === undefined &&
          origins.map((origin) => (
            <OriginLine key={origin.text} origin={origin} onSelectStep={onSelectStep} />
          ))}
        {planned !== undefined && (origins.length > 0 || editedBy !== undefined) && (
          <details className={styles.inputPlanned}>
            <summary>{STEP_ARGUMENTS.asPlanned}</summary>
            <JsonView value={planned} />
          </details>
        )}
      </dd>
    </div>
  );
}

/** The place of an output, as a link to the step that gives it. */
export function OriginLine({ origin, onSelectStep }: { origin: Origin; onSelectStep: (id: string) => void }) {
  const { text, stepId, value } = origin;
  return (
    <p className={styles.inputOrigin}>
      {STEP_ARGUMENTS.from}{" "}
      {stepId === undefined ? (
        <code>{text}</code>
      ) : (
        <button type="button" className="chip" onClick={() => onSelectStep(stepId)}>
          {text}
        </button>
      )}
      {value === undefined && (stepId === undefined ? STEP_ARGUMENTS.perItem : STEP_ARGUMENTS.notKnownHere)}
    </p>
  );
}
