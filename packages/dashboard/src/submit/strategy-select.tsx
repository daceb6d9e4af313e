import type { Strategy } from "../api/api-types.ts";
import { STRATEGIES } from "./example-goals.ts";

export function StrategySelect({
  value,
  onChange,
}: {
  value: Strategy;
  onChange: (strategy: Strategy) => void;
}) {
  return (
    <div className="strategy">
      <label htmlFor="strategy">Strategy</label>
      <select
        id="strategy"
        className="field"
        value={value}
        onChange={(event) => {
          const chosen = STRATEGIES.find((strategy) => strategy.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {STRATEGIES.map(({ value: name, label, about }) => (
          <option key={name} value={name}>
            {label}: {about}
          </option>
        ))}
      </select>
    </div>
  );
}
