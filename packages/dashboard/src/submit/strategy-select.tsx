import type { Strategy } from "../api/api-types.ts";
import { useOfflineModel } from "../shell/services.ts";
import { STRATEGIES } from "./example-goals.ts";
import { STRATEGY_SELECT } from "./submit-words.ts";
import styles from "./composer.module.css";

/** The gateway refuses it with the same reason. */
const NEEDS_MODEL = STRATEGY_SELECT.needsModel;

export function StrategySelect({
  value,
  onChange,
}: {
  value: Strategy;
  onChange: (strategy: Strategy) => void;
}) {
  const isDemo = useOfflineModel();
  return (
    <div className={styles.strategy}>
      <label htmlFor="strategy">{STRATEGY_SELECT.strategy}</label>
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
          <option key={name} value={name} disabled={isDemo && name === "code"}>
            {label}: {isDemo && name === "code" ? NEEDS_MODEL : about}
          </option>
        ))}
      </select>
    </div>
  );
}
