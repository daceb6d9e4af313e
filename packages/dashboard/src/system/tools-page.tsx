/** The tools available to plans. */
import { useState } from "react";
import type { ToolSpec } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useServices } from "../shell/services.ts";
import { Select } from "../ui/select.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";
import { Inline } from "../values/markdown.tsx";
import { Disclosure } from "./disclosure.tsx";
import { fieldsOf, type SchemaField } from "./schema-fields.ts";
import { SystemPage } from "./system-page.tsx";
import { EFFECTS, SCHEMA_TABLE, TOOL_FILTERS, TOOLS_PAGE } from "./system-words.ts";
import { TryTool } from "./try-tool.tsx";

const ANY_TOOL: WantedTools = { search: "", risk: "", effect: "", pool: "" };

const LEAD = TOOLS_PAGE.lead;

export function ToolsPage() {
  const { gateway } = useServices();
  const [wanted, setWanted] = useState(ANY_TOOL);
  const loaded = useLoaded("tools", 0, gateway.tools);
  const tools = loaded.phase === "ready" ? loaded.value.tools : [];
  const controls = <ToolFilters tools={tools} wanted={wanted} onChange={setWanted} />;
  return (
    <SystemPage title={TOOLS_PAGE.tools} lead={LEAD} loaded={loaded} controls={controls}>
      {({ tools: all }) => {
        if (all.length === 0) return <EmptyState of="tools" />;
        const shown = all.filter((tool) => isWanted(tool, wanted));
        if (shown.length === 0) {
          return (
            <Notice icon="search" title={TOOLS_PAGE.noMatchingTools}>
              <Button onClick={() => setWanted(ANY_TOOL)}>{TOOLS_PAGE.showAllTools}</Button>
            </Notice>
          );
        }
        return (
          <>
            <p role="status">{TOOLS_PAGE.of(shown.length, formatCount(all.length, "tool"))}</p>
            <ul className="grid grid-cols-1 gap-3">
              {shown.map((tool) => (
                <Tool key={tool.name} tool={tool} />
              ))}
            </ul>
          </>
        );
      }}
    </SystemPage>
  );
}

function Tool({ tool }: { tool: ToolSpec }) {
  const { name, description, risk, effect, pool, timeoutMs, untrusted, input } = tool;
  const fields = fieldsOf(input);
  return (
    <li className="card grid grid-cols-1 gap-2 px-4.5 py-3.5" data-part="tool">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="text-base">
          <code>{name}</code>
        </h2>
        <RiskBadge risk={risk} />
        <span className="text-sm text-soft">{EFFECTS[effect]}</span>
      </header>
      <p>
        <Inline text={description} />
      </p>
      <p className="text-sm text-soft">
        {TOOLS_PAGE.poolMax(pool, formatDuration(timeoutMs))}
        {untrusted && TOOLS_PAGE.outputIsUntrusted}
      </p>
      <Disclosure label={TOOLS_PAGE.arguments} isKept>
        <div className="my-2">
          <SchemaTable fields={fields} of={name} />
        </div>
        <Disclosure label={TOOLS_PAGE.asJsonSchema} isKept>
          <JsonView value={input} />
        </Disclosure>
      </Disclosure>
      <Disclosure label={TOOLS_PAGE.tryIt}>
        <TryTool tool={tool} fields={fields} />
      </Disclosure>
    </li>
  );
}

/** A tool's arguments, one per row. */
function SchemaTable({ fields, of }: { fields: readonly SchemaField[]; of: string }) {
  if (fields.length === 0) return <p className="text-sm text-soft">{SCHEMA_TABLE.noArguments}</p>;
  return (
    <ScrollTable
      label={SCHEMA_TABLE.argumentsOf(of)}
      head={[SCHEMA_TABLE.argument, SCHEMA_TABLE.type, SCHEMA_TABLE.description]}
    >
      {fields.map(({ name, type, required, about, fallback }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {required && <span className="text-xs text-warn"> {SCHEMA_TABLE.required}</span>}
          </th>
          <td>{type}</td>
          <td>
            {about}
            {fallback !== undefined && (
              <>
                {" "}
                {SCHEMA_TABLE.fallback} <code>{JSON.stringify(fallback)}</code>.
              </>
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

type WantedTools = {
  readonly search: string;
  readonly risk: string;
  readonly effect: string;
  readonly pool: string;
};

function isWanted(tool: ToolSpec, { search, ...fields }: WantedTools): boolean {
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

function ToolFilters({ tools, wanted, onChange }: Props) {
  const pools = [...new Set(tools.map(({ pool }) => pool))].toSorted();
  const selectOf = (
    name: "risk" | "effect" | "pool",
    label: string,
    choices: readonly (readonly [string, string])[],
  ) => (
    <Select
      className="px-2 py-1"
      aria-label={label}
      value={wanted[name]}
      options={[["", TOOL_FILTERS.any(label.toLowerCase())], ...choices]}
      onChange={(value) => onChange({ ...wanted, [name]: value })}
    />
  );
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(170px,100%),1fr))] gap-2">
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
