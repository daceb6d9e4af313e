import { PLANNED_BY_SELECT, PLANNED_BY_NAMES } from "./plans-words.ts";
import { Select } from "../ui/select.tsx";
import { STRATEGIES } from "../submit/example-goals.ts";

type Props = {
  /** Empty for all of them. */
  readonly value: string;
  /** What the choice of all is called. */
  readonly all: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
  readonly selectClassName?: string;
};

/** Which plans, by how they came about. */
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

/** How plans come about, as the gateway calls it and in words. */
export const PLANNED_BY: readonly (readonly [name: string, label: string])[] = [
  ...STRATEGIES.filter(({ value }) => value !== "auto").map(({ value, label }) => [value, label] as const),
  ["summarize", PLANNED_BY_NAMES.summarize],
  ["submitted", PLANNED_BY_NAMES.predefinedPlan],
  ["undecided", PLANNED_BY_NAMES.undecided],
];
