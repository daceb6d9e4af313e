import { useState } from "react";
import { toApiError } from "../api/api-error.ts";
import { EmptyLink } from "../empty-states/empty-state.tsx";
import { EMPTY } from "../empty-states/empty-words.ts";
import { useMay } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { Select } from "../ui/select.tsx";
import { Button } from "../ui/button.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { CheckOption, Option } from "./option.tsx";
import { PlanField } from "./plan-field.tsx";
import { ToolsField } from "./tools-field.tsx";
import { countSaid, type Options, PRIORITIES, type ReadPlan, RISKS } from "./request-of.ts";
import { OPTIONS_PANEL, GATES } from "./submit-words.ts";

type Props = {
  readonly options: Options;
  readonly plan: ReadPlan;
  readonly onChange: (part: Partial<Options>) => void;
};

/** The options of a submission besides its goal; collapsed until the user opens them. */
export function OptionsPanel({ options, plan, onChange: set }: Props) {
  const said = countSaid(options);
  return (
    <details className="border-t border-line bg-surface">
      <summary className="cursor-pointer px-4.5 py-2 text-sm text-soft">
        {OPTIONS_PANEL.options}
        {said > 0 && ` (${said})`}
      </summary>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(220px,100%),1fr))] gap-x-4 gap-y-3.5 px-4.5 pt-1.5 pb-4.5">
        <Option label={OPTIONS_PANEL.requireApprovalFor}>
          <Select
            value={options.risk}
            options={RISKS.map((risk) => [risk, GATES[risk]])}
            onChange={(risk) => set({ risk })}
          />
        </Option>
        <Option label={OPTIONS_PANEL.priority}>
          <Select
            value={options.priority}
            options={PRIORITIES.map((priority) => [priority, priority])}
            onChange={(priority) => set({ priority })}
          />
        </Option>
        <CheckOption checked={options.approvePlan} onChange={(approvePlan) => set({ approvePlan })}>
          {OPTIONS_PANEL.reviewPlan}
        </CheckOption>
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
        <CheckOption checked={options.requireSources} onChange={(requireSources) => set({ requireSources })}>
          {OPTIONS_PANEL.requireSources}
        </CheckOption>
        <Option label={OPTIONS_PANEL.constraints} className="col-span-full">
          <textarea
            className="field field-sizing-content max-h-[50vh] resize-y"
            rows={2}
            value={options.constraints}
            onChange={(event) => set({ constraints: event.target.value })}
          />
        </Option>
        <ToolsField chosen={options.tools} onChange={(tools) => set({ tools })} />
        <DataField chosen={options.data} onChange={(data) => set({ data })} />
        <PlanField text={options.plan} read={plan} onChange={(text) => set({ plan: text })} />
      </div>
    </details>
  );
}

/** The maximum number of steps that a model may plan. */
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
  /** A whole number with this minimum. */
  readonly wholeFrom?: number;
  readonly onChange: (value: string) => void;
};

function NumberField({ label, value, wholeFrom, onChange }: NumberProps) {
  return (
    <Option label={label}>
      <input
        className="field"
        type="number"
        min={wholeFrom ?? 0}
        step={wholeFrom === undefined ? "any" : 1}
        placeholder={OPTIONS_PANEL.noLimit}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Option>
  );
}

type DataProps = { readonly chosen: readonly string[]; readonly onChange: (data: string[]) => void };

/** The sources that the plan can use. */
function DataField({ chosen, onChange }: DataProps) {
  const { gateway } = useServices();
  const may = useMay();
  const [deleted, setDeleted] = useState(0);
  // Read again when a source is attached or deleted; `2 *` because deleting a chosen source also shortens `chosen` by one.
  const loaded = useLoaded("data", chosen.length + 2 * deleted, gateway.sources);
  if (loaded.phase !== "ready") return null;
  if (loaded.value.length === 0) {
    return (
      <p className="col-span-full grid gap-1 text-sm text-soft">
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
    <fieldset className="col-span-full flex min-w-0 flex-wrap gap-x-5 gap-y-1.5 border-0 p-0 text-sm text-soft">
      <legend className="mb-1">{OPTIONS_PANEL.dataSources}</legend>
      {loaded.value.map(({ name, kind, origin }) => (
        <span key={name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <CheckOption checked={chosen.includes(name)} onChange={(isChosen) => toggle(name, isChosen)}>
            {name} <span className="text-faint">{kind}</span>
          </CheckOption>
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

/** Deletes an uploaded source, after confirmation. */
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
    <span role="alert" className="flex flex-wrap items-center gap-x-2 gap-y-1">
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
