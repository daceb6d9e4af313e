import { PLANNED_BY } from "./planned-by.ts";
import { PLANNED_BY_SELECT } from "./plans-words.ts";

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
      <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{all}</option>
        {PLANNED_BY.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
