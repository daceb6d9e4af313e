/** Summaries that keep one sentence of each part, and facts that keep where the key is. */
import type { ModelScript } from "@planwright/testkit";

type Claim = { readonly key: string; readonly value: string };

const LOCKER = /kept in (locker \d+)/;

export const script: ModelScript = {
  digest({ blocks }) {
    const part = blocks.get("context") ?? "";
    const locker = LOCKER.exec(part)?.[1];
    const facts = locker === undefined ? [] : [{ key: "reserve_key", value: locker, confidence: 0.9 }];
    // The summary itself loses the key, as summaries do.
    return JSON.stringify({ text: part.split(". ", 2).join(". "), facts });
  },
  write({ blocks }) {
    const task = blocks.get("task") ?? "";
    const parts = JSON.parse(blocks.get("context") ?? "[]") as string[];
    if (!task.includes("Write the answer")) return `Put together: ${parts.length} parts.`;
    const facts = JSON.parse(blocks.get("facts") ?? "[]") as Claim[];
    const key = facts.find((fact) => fact.key === "reserve_key")?.value ?? "an unknown place";
    return `The harbour works went on for 20 weeks. The reserve key of the flood gate is kept in ${key}.`;
  },
};
