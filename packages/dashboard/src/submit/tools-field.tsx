import { useState } from "react";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { TOOLS_FIELD } from "./submit-words.ts";
import styles from "./options-panel.module.css";

type Props = { readonly chosen: readonly string[]; readonly onChange: (tools: string[]) => void };

/** The tools that the plan may use: all when none is chosen. */
export function ToolsField({ chosen, onChange }: Props) {
  const { gateway } = useServices();
  const [search, setSearch] = useState("");
  const loaded = useLoaded("tools", 0, gateway.tools);
  if (loaded.phase !== "ready" || loaded.value.tools.length === 0) return null;
  const { tools } = loaded.value;
  const words = search.trim().toLowerCase();
  const shown = tools.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(words),
  );
  const gone = chosen.filter((name) => tools.every((tool) => tool.name !== name));
  const toggle = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name));
  return (
    <fieldset className={`${styles.option} ${styles.optionWide} ${styles.optionTools}`}>
      <legend>
        {TOOLS_FIELD.allowedTools}{" "}
        {chosen.length === 0 ? TOOLS_FIELD.all(tools.length) : TOOLS_FIELD.selected(chosen.length)}
      </legend>
      <input
        className="field"
        type="search"
        aria-label={TOOLS_FIELD.selectBySearch}
        placeholder={TOOLS_FIELD.searchTools}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className={styles.optionToolsList}>
        {shown.map(({ name, description, risk }) => (
          <label key={name} title={description}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <code>{name}</code>
            {risk !== "low" && <RiskBadge risk={risk} />}
          </label>
        ))}
        {shown.length === 0 && <p>{TOOLS_FIELD.noMatchingTools}</p>}
      </div>
      {gone.length > 0 && <p className={styles.optionCheck}>{TOOLS_FIELD.unavailable(gone.join(", "))}</p>}
      {chosen.length > 0 && (
        <Button kind="quiet" onClick={() => onChange([])}>
          {TOOLS_FIELD.allowAllTools}
        </Button>
      )}
    </fieldset>
  );
}
