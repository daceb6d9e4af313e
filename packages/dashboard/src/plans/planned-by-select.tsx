import { PLANNED_BY } from "./planned-by.ts";
import { PLANNED_BY_SELECT } from "./plans-words.ts";
import { Select } from "../ui/select.tsx";

type Props = {
  /** Empty for all of them. */
  readonly value: string;
  /** What the choice of all is called. */
  readonly all: string;
  readonly onChange: (value: string) => void;
};

/** Which plans, by how they came about. */
export function PlannedBySelect({ value, all, onChange }: Props) {
  return (
    <label>
      {PLANNED_BY_SELECT.strategy}
      <Select value={value} options={[["", all], ...PLANNED_BY]} onChange={onChange} />
    </label>
  );
}
