import type { Strategy } from "../api/api-types.ts";
import { useOfflineModel } from "../shell/services.ts";
import { STRATEGIES } from "./example-goals.ts";
import { STRATEGY_SELECT } from "./submit-words.ts";

export function StrategySelect({
  value,
  onChange,
}: {
  value: Strategy;
  onChange: (strategy: Strategy) => void;
}) {
  const isDemo = useOfflineModel();
  // The gateway refuses it for the same reason.
  const needsModel = (name: Strategy) => isDemo && name === "code";
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-soft max-sm:flex-1">
      <label htmlFor="strategy">{STRATEGY_SELECT.strategy}</label>
      <select
        id="strategy"
        className="field min-h-8.5 w-auto max-w-48 min-w-0 field-sizing-content px-2 py-1 text-ellipsis text-ink max-sm:max-w-none max-sm:flex-1"
        title={STRATEGIES.find((strategy) => strategy.value === value)?.about}
        value={value}
        onChange={(event) => {
          const chosen = STRATEGIES.find((strategy) => strategy.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {STRATEGIES.map(({ value: name, label, about }) => (
          <option key={name} value={name} disabled={needsModel(name)}>
            {label}
            {needsModel(name) && `: ${STRATEGY_SELECT.needsModel}`}
            {/* The closed list has room only for the name of the selected option. */}
            {name !== value && !needsModel(name) && `: ${about}`}
          </option>
        ))}
      </select>
    </div>
  );
}
