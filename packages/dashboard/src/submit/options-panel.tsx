import { useId, useState } from "react";
import { toApiError } from "../api/api-error.ts";
import { EmptyLink } from "../empty-states/empty-state.tsx";
import { EMPTY } from "../empty-states/empty-words.ts";
import { useMay } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { Select } from "../ui/select.tsx";
import { Button } from "../ui/button.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { PlanField } from "./plan-field.tsx";
import { ToolsField } from "./tools-field.tsx";
import { countSaid, type Options, PRIORITIES, type ReadPlan, RISKS } from "./request-of.ts";
import { OPTIONS_PANEL, GATES } from "./submit-words.ts";
import styles from "./options-panel.module.css";

type Props = {
  readonly options: Options;
  readonly plan: ReadPlan;
  readonly onChange: (part: Partial<Options>) => void;
};

/** The options of a submission besides its goal; collapsed until the user opens them. */
export function OptionsPanel({ options, plan, onChange: set }: Props) {
  const said = countSaid(options);
  return (
    <details className={styles.options}>
      <summary>
        {OPTIONS_PANEL.options}
        {said > 0 && ` (${said})`}
      </summary>
      <div className={styles.optionsGrid}>
        <label className={styles.option}>
          {OPTIONS_PANEL.requireApprovalFor}
          <Select
            value={options.risk}
            options={RISKS.map((risk) => [risk, GATES[risk]])}
            onChange={(risk) => set({ risk })}
          />
        </label>
        <label className={styles.option}>
          {OPTIONS_PANEL.priority}
          <Select
            value={options.priority}
            options={PRIORITIES.map((priority) => [priority, priority])}
            onChange={(priority) => set({ priority })}
          />
        </label>
        <CheckField
          label={OPTIONS_PANEL.reviewPlan}
          checked={options.approvePlan}
          onChange={(approvePlan) => set({ approvePlan })}
        />
        <NumberField label={OPTIONS_PANEL.maxCostUsd} value={options.usd} onChange={(usd) => set({ usd })} />
        <NumberField
          label={OPTIONS_PANEL.maxTokens}
          value={options.tokens}
          onChange={(tokens) => set({ tokens })}
        />
        <NumberField
          label={OPTIONS_PANEL.timeLimit}
          value={options.seconds}
          onChange={(seconds) => set({ seconds })}
        />
        <SizeFields options={options} onChange={set} />
        <CheckField
          label={OPTIONS_PANEL.requireSources}
          checked={options.requireSources}
          onChange={(requireSources) => set({ requireSources })}
        />
        <label className={`${styles.option} ${styles.optionWide}`}>
          {OPTIONS_PANEL.constraints}
          <textarea
            className="field"
            rows={2}
            value={options.constraints}
            onChange={(event) => set({ constraints: event.target.value })}
          />
        </label>
        <ToolsField chosen={options.tools} onChange={(tools) => set({ tools })} />
        <DataField chosen={options.data} onChange={(data) => set({ data })} />
        <PlanField text={options.plan} read={plan} onChange={(text) => set({ plan: text })} />
      </div>
    </details>
  );
}

type CheckProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

function CheckField({ label, checked, onChange }: CheckProps) {
  return (
    <label className={`${styles.option} ${styles.optionCheckBox}`}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

/** How many steps a model may plan. */
function SizeFields({ options, onChange: set }: Pick<Props, "options" | "onChange">) {
  return (
    <>
      <NumberField
        label={OPTIONS_PANEL.minSteps}
        wholeFrom={1}
        value={options.stepsMin}
        onChange={(stepsMin) => set({ stepsMin })}
      />
      <NumberField
        label={OPTIONS_PANEL.maxSteps}
        wholeFrom={1}
        value={options.stepsMax}
        onChange={(stepsMax) => set({ stepsMax })}
      />
    </>
  );
}

type NumberProps = {
  readonly label: string;
  readonly value: string;
  /** It is a whole number, and no smaller. */
  readonly wholeFrom?: number;
  readonly onChange: (value: string) => void;
};

function NumberField({ label, value, wholeFrom, onChange }: NumberProps) {
  const id = useId();
  return (
    <label className={styles.option} htmlFor={id}>
      {label}
      <input
        id={id}
        className="field"
        type="number"
        min={wholeFrom ?? 0}
        step={wholeFrom === undefined ? "any" : 1}
        placeholder={OPTIONS_PANEL.noLimit}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

type DataProps = { readonly chosen: readonly string[]; readonly onChange: (data: string[]) => void };

/** The sources that the plan may use. */
function DataField({ chosen, onChange }: DataProps) {
  const { gateway } = useServices();
  const may = useMay();
  const [deleted, setDeleted] = useState(0);
  // Read again when a source was attached or deleted: a deleted one that was chosen counts as one less and two more.
  const loaded = useLoaded("data", chosen.length + 2 * deleted, gateway.sources);
  if (loaded.phase !== "ready") return null;
  if (loaded.value.length === 0) {
    return (
      <p className={`${styles.option} ${styles.optionWide}`}>
        <strong>{EMPTY.data.title}</strong>
        <span>
          {EMPTY.data.about} <EmptyLink of="data" />
        </span>
      </p>
    );
  }
  const toggle = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name));
  return (
    <fieldset className={`${styles.option} ${styles.optionWide} ${styles.optionData}`}>
      <legend>{OPTIONS_PANEL.dataSources}</legend>
      {loaded.value.map(({ name, kind, origin }) => (
        <span key={name} className={styles.optionSource}>
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            {name} <span className={styles.optionKind}>{kind}</span>
          </label>
          {origin === "upload" && may("deleteSource") && (
            <DeleteSource
              name={name}
              onDeleted={() => {
                toggle(name, false);
                setDeleted((count) => count + 1);
              }}
            />
          )}
        </span>
      ))}
    </fieldset>
  );
}

type Deletion =
  | { readonly phase: "idle" | "asking" | "deleting" }
  | { readonly phase: "failed"; readonly reason: string };

/** Deletes an uploaded source, after a question. */
function DeleteSource({ name, onDeleted }: { readonly name: string; readonly onDeleted: () => void }) {
  const { gateway } = useServices();
  const [deletion, setDeletion] = useState<Deletion>({ phase: "idle" });
  const remove = async (): Promise<void> => {
    setDeletion({ phase: "deleting" });
    try {
      await gateway.deleteSource(name);
      onDeleted();
    } catch (error) {
      setDeletion({ phase: "failed", reason: toApiError(error).message });
    }
  };
  if (deletion.phase === "idle") {
    return (
      <Button
        kind="quiet"
        aria-label={OPTIONS_PANEL.deleteNamed(name)}
        onClick={() => setDeletion({ phase: "asking" })}
      >
        {OPTIONS_PANEL.delete}
      </Button>
    );
  }
  return (
    <span role="alert" className={styles.optionQuestion}>
      {deletion.phase === "failed"
        ? OPTIONS_PANEL.wasNotDeleted(name, deletion.reason)
        : OPTIONS_PANEL.deleteQuestion(name)}
      <Button kind="quiet" disabled={deletion.phase === "deleting"} onClick={() => void remove()}>
        {OPTIONS_PANEL.deleteNamed(name)}
      </Button>
      <Button
        kind="quiet"
        disabled={deletion.phase === "deleting"}
        onClick={() => setDeletion({ phase: "idle" })}
      >
        {OPTIONS_PANEL.keepIt}
      </Button>
    </span>
  );
}
