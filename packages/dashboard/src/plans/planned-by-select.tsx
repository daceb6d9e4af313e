import { PLANNED_BY_SELECT, PLANNED_BY_NAMES } from "./plans-words.ts";
import { Select } from "../ui/select.tsx";
import { STRATEGIES } from "../submit/example-goals.ts";
import { capitalized } from "../ui/format.ts";

type Props = {
  /** Empty for all. */
  readonly value: string;
  /** The label of the option for all. */
  readonly all: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
  readonly selectClassName?: string;
};

/** Filters plans by how they were planned. */
export function PlannedBySelect({ value, all, onChange, className, selectClassName }: Props) {
  return (
    <label className={className}>
      {PLANNED_BY_SELECT.strategy}
      <Select
        className={selectClassName}
        value={value}
        options={[["", all], ...PLANNED_BY]}
        onChange={onChange}
      />
    </label>
  );
}

/** The ways in which plans are made: the gateway's value and its label. */
export const PLANNED_BY: readonly (readonly [name: string, label: string])[] = [
  ...STRATEGIES.filter(({ value }) => value !== "auto").map(({ value, label }) => [value, label] as const),
  ["summarize", PLANNED_BY_NAMES.summarize],
  ["submitted", PLANNED_BY_NAMES.predefinedPlan],
  ["undecided", PLANNED_BY_NAMES.undecided],
];

const LABELS = new Map(PLANNED_BY);

/** `Tree search`, `Predefined plan`. */
export function strategyLabel(strategy: string): string {
  return LABELS.get(strategy) ?? capitalized(strategy);
}
