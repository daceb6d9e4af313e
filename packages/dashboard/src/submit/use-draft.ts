/** The form's contents survive a reload of the tab until the form is submitted. */
import { useCallback, useEffect, useState } from "react";
import type { Strategy } from "../api/api-types.ts";
import { browserMemory } from "../ui/browser-memory.ts";
import { STRATEGIES } from "./example-goals.ts";
import { NO_OPTIONS, type Options, RISKS } from "./request-of.ts";

export type Draft = { readonly goal: string; readonly strategy: Strategy; readonly options: Options };

const EMPTY: Draft = { goal: "", strategy: "auto", options: NO_OPTIONS };

/** A form that the browser keeps for this tab, and its initial contents. */
export type KeptDraft = { readonly key: string; readonly initial: Draft };
export const NEW_DRAFT: KeptDraft = { key: "planwright.draft", initial: EMPTY };

const memory = browserMemory(() => sessionStorage);

export function useDraft({ key, initial }: KeptDraft) {
  const [draft, setDraft] = useState(() => {
    const stored = memory.getItem(key);
    if (stored === null) return initial;
    const { options, ...read } = readDraft(stored);
    return { ...read, options: { ...options, text: initial.options.text } };
  });
  useEffect(() => {
    // An attached text can exceed the browser's storage limit.
    const { text: _text, ...options } = draft.options;
    memory.setItem(key, JSON.stringify({ ...draft, options }));
  }, [draft]);
  const change = useCallback(
    (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) =>
      setDraft((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) })),
    [],
  );
  return { draft, change, clear: () => memory.removeItem(key) };
}

/** Field by field, because another version of the page may have written it. */
export function readDraft(stored: string | null): Draft {
  const { goal, strategy, options } = recordOf(parsed(stored));
  const said = recordOf(options);
  const known = Object.entries(NO_OPTIONS).map(([name, empty]) => {
    const value = said[name];
    return [
      name,
      isLike(value, empty) && (name !== "risk" || RISKS.some((risk) => risk === value)) ? value : empty,
    ];
  });
  return {
    goal: typeof goal === "string" ? goal : EMPTY.goal,
    strategy: STRATEGIES.find(({ value }) => value === strategy)?.value ?? EMPTY.strategy,
    // Each field has the type of its empty value.
    options: Object.fromEntries(known) as Options,
  };
}

function isLike(value: unknown, empty: unknown): boolean {
  if (Array.isArray(empty)) return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === typeof empty;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
