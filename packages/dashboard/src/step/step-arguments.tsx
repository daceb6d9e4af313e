import type { Origin } from "@planwright/plan/displayed-arguments";
import { type StepInput, stepInputs } from "@planwright/plan/step-inputs";
import type { Json, PlanView, StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { Folded } from "../values/folded.tsx";
import { JsonView } from "../values/json-view.tsx";
import { ShortValue } from "../values/short-value.tsx";
import { isCode } from "./is-code.ts";
import { More } from "./step-parts.tsx";
import { STEP_ARGUMENTS } from "./step-words.ts";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  /** The arguments of one item, for a step that runs for each entry of a list. */
  readonly item?: { readonly item: number; readonly value?: Json | undefined };
  readonly onSelectStep: (id: string) => void;
};

/** A step's arguments: their values, where they came from, and a reviewer's edits. */
export function StepArguments({ view, step, item, onSelectStep }: Props) {
  const inputs = stepInputs(view, step, item);
  if (inputs.length === 0) return <p className="soft">{STEP_ARGUMENTS.noArguments}</p>;
  return (
    <dl className="grid grid-cols-1 gap-3.5">
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
    <div className="grid grid-cols-1 gap-1.5" data-part="input">
      <dt className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
        <code>{name}</code>
        {editedBy !== undefined && (
          <span className="badge tone-warn">
            <Icon name="planning" size={12} /> {STEP_ARGUMENTS.editedBy(editedBy)}
          </span>
        )}
      </dt>
      <dd className="grid grid-cols-1 gap-1.5 border-l-2 border-line pl-3">
        <ArgumentValue name={name} value={value} />
        {origins.length === 0 && editedBy === undefined && (
          <p className="text-sm text-faint">{STEP_ARGUMENTS.literalValue}</p>
        )}
        {editedBy === undefined &&
          origins.map((origin) => (
            <OriginLine key={origin.text} origin={origin} onSelectStep={onSelectStep} />
          ))}
        {planned !== undefined && (origins.length > 0 || editedBy !== undefined) && (
          <More summary={STEP_ARGUMENTS.asPlanned}>
            <JsonView value={planned} />
          </More>
        )}
      </dd>
    </div>
  );
}

function ArgumentValue({ name, value }: { name: string; value: Json | undefined }) {
  if (value === undefined) return <p className="soft">{STEP_ARGUMENTS.removed}</p>;
  if (!isCode(name, value)) return <ShortValue value={value} />;
  return (
    <Folded chars={value.length}>
      <pre className="wrap-anywhere whitespace-pre-wrap">{value}</pre>
    </Folded>
  );
}

/** A reference to an output, as a link to its step. */
export function OriginLine({ origin, onSelectStep }: { origin: Origin; onSelectStep: (id: string) => void }) {
  const { text, stepId, value } = origin;
  return (
    <p className="text-sm text-faint">
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
