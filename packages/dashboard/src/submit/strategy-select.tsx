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
    <label className="strategy">
      <span>Strategy</span>
      <select
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
    </label>
  );
}
