import clsx from "clsx";
import { useEffect, useRef } from "react";
import { useCaller } from "../sign-in/caller.ts";
import { useServices, useSystemInfo } from "../shell/services.ts";
import { IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { docsHref } from "../ui/docs-href.ts";
import { Icon } from "../ui/icons.tsx";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { useVisible } from "../ui/use-visible.ts";
import type { BuiltInTools, Caller, SourceInfo, ToolSpec } from "@planwright/client";

type Props = { readonly uploads: number; readonly onClose: () => void };

export function ChecklistCard({ uploads, onClose }: Props) {
  const items = useChecklist(uploads);
  const left = items?.filter(({ done }) => !done).length;
  useEffect(() => {
    if (left === 0) onClose();
  }, [left, onClose]);
  if (items === undefined || left === 0) return null;
  return (
    <section className="card mt-7 px-4.5 pt-3.5 pb-4" aria-labelledby="onboarding-title">
      <header className="flex items-center gap-3">
        <h2 className="text-base" id="onboarding-title">
          {ONBOARDING.title}
        </h2>
        <span className="flex-1 text-sm text-soft">
          {progressText(items.filter(({ done }) => done).length, items.length)}
        </span>
        <IconButton
          icon="close"
          size={14}
          label={ONBOARDING.dismiss}
          title={ONBOARDING.dismiss}
          onClick={onClose}
        />
      </header>
      <ul className="mt-2.5 grid grid-cols-[repeat(auto-fit,minmax(min(300px,100%),1fr))] gap-x-6 gap-y-3">
        {items.map((one) => (
          <Item key={one.item} checked={one} />
        ))}
      </ul>
    </section>
  );
}

function Item({ checked: { item, done } }: { checked: CheckedItem }) {
  const { title, about, link, docs } = ITEMS[item];
  return (
    <li className="flex gap-2.5" data-done={done}>
      <Icon
        className={clsx("mt-0.5 flex-none", done ? "text-ok" : "text-faint")}
        name={done ? "succeeded" : "waiting"}
        size={18}
      />
      <div>
        <h3 className={done ? "text-base font-medium text-soft" : "text-base"}>
          {done && <span className="visually-hidden">{ONBOARDING.done}: </span>}
          {title}
        </h3>
        {!done && (
          <p className="text-sm text-soft">
            {about} <a href={docsHref(docs)}>{link}</a>
          </p>
        )}
      </div>
    </li>
  );
}

/** Undefined until everything that the items depend on is known, so that nothing appears and disappears. */
function useChecklist(uploads: number): readonly CheckedItem[] | undefined {
  const { gateway, planCounts } = useServices();
  const system = useSystemInfo();
  const caller = useCaller();
  const counts = useStore(planCounts);
  const version = useReturns() + uploads;
  const tools = useLoaded("tools of the checklist", version, gateway.tools);
  const sources = useLoaded("data of the checklist", version, gateway.sources);
  const isLoading = tools.phase === "loading" || sources.phase === "loading";
  if (isLoading || system === undefined || caller === undefined || counts === undefined) return undefined;
  const items = checklistOf(
    {
      demoModel: system.demoModel,
      tools: valueOf(tools)?.tools,
      sources: valueOf(sources),
      plans: counts.all,
    },
    caller,
  );
  return items.length === 0 ? undefined : items;
}

function valueOf<Value>(loaded: Loaded<Value>): Value | undefined {
  return loaded.phase === "ready" ? loaded.value : undefined;
}

/** How often the user has returned to the page: tools may have been added elsewhere meanwhile. */
function useReturns(): number {
  const visible = useVisible();
  const last = useRef({ visible, returns: 0 });
  if (visible !== last.current.visible) {
    const { returns } = last.current;
    last.current = { visible, returns: visible ? returns + 1 : returns };
  }
  return last.current.returns;
}

/** All texts of the checklist on the start page, with the linked docs pages. */
export const ONBOARDING = {
  title: "Get started",
  dismiss: "Dismiss the checklist",
  done: "Done",
} as const;

export function progressText(done: number, total: number): string {
  return `${done} of ${total} done`;
}

type ItemWords = {
  readonly title: string;
  readonly about: string;
  readonly link: string;
  /** A page of the docs, relative to their root. */
  readonly docs: string;
};

export const ITEMS: Readonly<Record<ChecklistItem, ItemWords>> = {
  model: {
    title: "Connect a model",
    about: "The demo model follows fixed rules. A language model can plan any goal.",
    link: "Connect a model",
    docs: "first-model",
  },
  tool: {
    title: "Add a tool",
    about: "Let plans use your own systems: write a tool in TypeScript, or connect an MCP server.",
    link: "Add a tool",
    docs: "guides/add-a-tool",
  },
  data: {
    title: "Upload data",
    about: "Attach a CSV or SQLite file to a goal. Plans query it with SQL.",
    link: "Use your own data",
    docs: "data",
  },
  goal: {
    title: "Submit a first goal",
    about: "Describe your goal above, or choose an example.",
    link: "Tutorial",
    docs: "tutorial",
  },
};

/** The checklist of a new installation, derived from the state of the system. */
export type ChecklistItem = "model" | "tool" | "data" | "goal";

/** Undefined fields are unknown, for example after a failed request. */
export type Setup = {
  readonly demoModel: boolean | undefined;
  readonly tools: readonly Pick<ToolSpec, "name">[] | undefined;
  readonly sources: readonly Pick<SourceInfo, "origin">[] | undefined;
  /** How many plans there are. */
  readonly plans: number | undefined;
};

export type CheckedItem = { readonly item: ChecklistItem; readonly done: boolean };

/** The compiler checks these against the tools that an executor announces. */
const BUILT_IN: Readonly<Record<keyof BuiltInTools, true>> = {
  "agent.react": true,
  "chart.render": true,
  "code.run": true,
  "data.apply": true,
  "data.dryrun": true,
  "docs.search": true,
  "email.draft": true,
  "email.send": true,
  "files.list": true,
  "files.read": true,
  "files.write": true,
  "flow.echo": true,
  "flow.wait": true,
  "http.fetch": true,
  "http.send": true,
  "human.ask": true,
  "math.evaluate": true,
  "model.write": true,
  "plan.run": true,
  "report.render": true,
  "sql.query": true,
  "text.extract": true,
  "web.search": true,
};

/**
 * Returns the items that the user can do, in order, and which of them are done.
 *
 * @param caller - Undefined until the gateway has answered: then there are no items.
 */
export function checklistOf(setup: Setup, caller: Caller | undefined): CheckedItem[] {
  const { demoModel, tools, sources, plans } = setup;
  if (caller?.calls.includes("submitPlan") !== true) return [];
  // Models and tools are set up on the machine that runs Planwright.
  const isAdmin = caller.role === "admin";
  const items: readonly (readonly [item: ChecklistItem, isOffered: boolean, done: boolean | undefined])[] = [
    ["model", isAdmin, demoModel === undefined ? undefined : !demoModel],
    ["tool", isAdmin, tools?.some(({ name }) => !Object.hasOwn(BUILT_IN, name))],
    ["data", caller.calls.includes("addSource"), sources?.some(({ origin }) => origin === "upload")],
    ["goal", true, plans === undefined ? undefined : plans > 0],
  ];
  return items.flatMap(([item, isOffered, done]) =>
    isOffered && done !== undefined ? [{ item, done }] : [],
  );
}
