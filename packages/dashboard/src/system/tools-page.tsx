/** Every tool that plans can use here. */
import { useState } from "react";
import type { ToolSpec } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatDuration } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";
import { SystemPage } from "./system-page.tsx";
import { RiskBadge } from "../ui/risk-badge.tsx";

const LEAD = "What a step can run, as the executors announce it. Unknown tools never run.";

export function ToolsPage() {
  const { gateway } = useServices();
  const [search, setSearch] = useState("");
  const loaded = useLoaded("tools", 0, gateway.tools);
  const words = search.trim().toLowerCase();
  const controls = (
    <label className="system-search">
      <span className="visually-hidden">Search tools</span>
      <input
        className="field"
        type="search"
        placeholder="Search tools"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
    </label>
  );
  return (
    <SystemPage title="Tools" lead={LEAD} loaded={loaded} controls={controls}>
      {({ tools }) => {
        const shown = tools.filter(({ name, description }) =>
          `${name} ${description}`.toLowerCase().includes(words),
        );
        if (tools.length === 0) {
          return (
            <Notice icon="inbox" title="No tool is announced">
              <p>An executor announces its tools when it starts.</p>
            </Notice>
          );
        }
        if (shown.length === 0) return <Notice icon="search" title="No tool matches" />;
        return (
          <ul className="tool-list">
            {shown.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </ul>
        );
      }}
    </SystemPage>
  );
}

function Tool({ tool }: { tool: ToolSpec }) {
  const { name, description, risk, effect, pool, timeoutMs, untrusted, input } = tool;
  return (
    <li className="card tool">
      <header>
        <h2>
          <code>{name}</code>
        </h2>
        <RiskBadge risk={risk} />
        <span className="tool-effect">{EFFECTS[effect]}</span>
      </header>
      <p>{description}</p>
      <p className="tool-meta">
        pool {pool} · at most {formatDuration(timeoutMs)}
        {untrusted && " · its output is data from outside"}
      </p>
      <details>
        <summary>Arguments</summary>
        <JsonView value={input} />
      </details>
    </li>
  );
}

const EFFECTS: Readonly<Record<ToolSpec["effect"], string>> = {
  read: "reads",
  idempotent: "changes something, and may be repeated",
  once: "acts once",
};
