import { useState } from "react";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { CheckOption } from "./option.tsx";
import { TOOLS_FIELD } from "./submit-words.ts";

type Props = { readonly chosen: readonly string[]; readonly onChange: (tools: string[]) => void };

/** The tools that the plan can use: all when none is chosen. */
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
    <fieldset className="col-span-full grid min-w-0 content-start gap-1 border-0 p-0 text-sm">
      <legend className="mb-1 text-soft">
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
      <div className="mt-1.5 grid max-h-48 grid-cols-[repeat(auto-fill,minmax(min(200px,100%),1fr))] gap-x-3.5 gap-y-1 overflow-y-auto">
        {shown.map(({ name, description, risk }) => (
          <CheckOption
            key={name}
            title={description}
            checked={chosen.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          >
            <code>{name}</code>
            {risk !== "low" && <RiskBadge risk={risk} />}
          </CheckOption>
        ))}
        {shown.length === 0 && <p className="text-soft">{TOOLS_FIELD.noMatchingTools}</p>}
      </div>
      {gone.length > 0 && <p className="text-bad">{TOOLS_FIELD.unavailable(gone.join(", "))}</p>}
      {chosen.length > 0 && (
        <Button kind="quiet" onClick={() => onChange([])}>
          {TOOLS_FIELD.allowAllTools}
        </Button>
      )}
    </fieldset>
  );
}
