/** Every tool that plans can use here. */
import { type ReactNode, useState } from "react";
import type { ToolSpec } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";
import { SystemPage } from "./system-page.tsx";
import { RiskBadge } from "../ui/risk-badge.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { SchemaTable } from "./schema-table.tsx";
import { ANY_TOOL, isWanted, ToolFilters } from "./tool-filters.tsx";
import { TryTool } from "./try-tool.tsx";
import { Inline } from "../values/markdown-inline.tsx";
import { EFFECTS, TOOLS_PAGE } from "./system-words.ts";
import styles from "./system.module.css";

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
              <button type="button" className="button" onClick={() => setWanted(ANY_TOOL)}>
                {TOOLS_PAGE.showAllTools}
              </button>
            </Notice>
          );
        }
        return (
          <>
            <p role="status">{TOOLS_PAGE.of(shown.length, formatCount(all.length, "tool"))}</p>
            <ul className={styles.toolList}>
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
    <li className={`card ${styles.tool}`} data-part="tool">
      <header>
        <h2>
          <code>{name}</code>
        </h2>
        <RiskBadge risk={risk} />
        <span className={styles.toolEffect}>{EFFECTS[effect]}</span>
      </header>
      <p>
        <Inline text={description} />
      </p>
      <p className={styles.toolMeta}>
        {TOOLS_PAGE.poolMax(pool, formatDuration(timeoutMs))}
        {untrusted && TOOLS_PAGE.outputIsUntrusted}
      </p>
      <details>
        <summary>{TOOLS_PAGE.arguments}</summary>
        <SchemaTable fields={fields} of={name} />
        <details>
          <summary>{TOOLS_PAGE.asJsonSchema}</summary>
          <JsonView value={input} />
        </details>
      </details>
      <Disclosure label={TOOLS_PAGE.tryIt}>
        <TryTool tool={tool} fields={fields} />
      </Disclosure>
    </li>
  );
}

/** A collapsed section whose contents are rendered only while it is open. */
function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}
