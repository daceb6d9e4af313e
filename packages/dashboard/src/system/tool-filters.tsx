import type { ToolSpec } from "../api/api-types.ts";
import { TOOL_FILTERS, EFFECTS } from "./system-words.ts";
import styles from "./system.module.css";

export type WantedTools = {
  readonly search: string;
  readonly risk: string;
  readonly effect: string;
  readonly pool: string;
};

export const ANY_TOOL: WantedTools = { search: "", risk: "", effect: "", pool: "" };

export function isWanted(tool: ToolSpec, { search, ...fields }: WantedTools): boolean {
  const words = `${tool.name} ${tool.description}`.toLowerCase();
  const { risk, effect, pool } = fields;
  return (
    words.includes(search.trim().toLowerCase()) &&
    (risk === "" || tool.risk === risk) &&
    (effect === "" || tool.effect === effect) &&
    (pool === "" || tool.pool === pool)
  );
}

type Props = {
  readonly tools: readonly ToolSpec[];
  readonly wanted: WantedTools;
  readonly onChange: (wanted: WantedTools) => void;
};

export function ToolFilters({ tools, wanted, onChange }: Props) {
  const pools = [...new Set(tools.map(({ pool }) => pool))].toSorted();
  const selectOf = (
    name: "risk" | "effect" | "pool",
    label: string,
    choices: readonly (readonly [string, string])[],
  ) => (
    <select
      className="field"
      aria-label={label}
      value={wanted[name]}
      onChange={({ target }) => onChange({ ...wanted, [name]: target.value })}
    >
      <option value="">{TOOL_FILTERS.any(label.toLowerCase())}</option>
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
  return (
    <div className={styles.toolFilters}>
      <label>
        <span className="visually-hidden">{TOOL_FILTERS.searchTools}</span>
        <input
          className="field"
          type="search"
          placeholder={TOOL_FILTERS.searchTools}
          value={wanted.search}
          onChange={({ target }) => onChange({ ...wanted, search: target.value })}
        />
      </label>
      {selectOf(
        "risk",
        TOOL_FILTERS.risk,
        ["low", "medium", "high"].map((risk) => [risk, `${risk} risk`] as const),
      )}
      {selectOf("effect", TOOL_FILTERS.effect, Object.entries(EFFECTS))}
      {selectOf(
        "pool",
        TOOL_FILTERS.pool,
        pools.map((pool) => [pool, pool] as const),
      )}
    </div>
  );
}
