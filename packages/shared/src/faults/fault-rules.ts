/** The syntax of `PLANWRIGHT_FAULTS`: `outcome.before-publish=kill@2,step-work.after-ack=delay:500`. */
import { z } from "zod";
import { FAULT_POINTS } from "./fault-points.ts";

const RULE = /^(?<point>[a-z.-]+)=(?<action>kill|stop|delay:(?<ms>\d{1,6}))(?:@(?<passage>[1-9]\d{0,5}))?$/;

export const FaultRule = z.object({
  point: z.string(),
  /** `kill` and `stop` are the signals KILL and STOP; a number is a delay in milliseconds. */
  action: z.union([z.literal("kill"), z.literal("stop"), z.int()]),
  /** At which passage of the point, counted from 1. */
  passage: z.int(),
});
export type FaultRule = z.infer<typeof FaultRule>;

/** A setting: rules separated by commas. */
export function faultRules() {
  return z
    .string()
    .transform((text, context): FaultRule[] => {
      const rules = text.split(",").map((part) => toRule(part.trim()));
      if (rules.every((rule) => rule !== undefined)) return rules;
      context.addIssue({ code: "custom", message: "malformed" });
      return z.NEVER;
    })
    .meta({
      wanted: "<point>=<kill|stop|delay:ms>[@<passage>], separated by commas, with points that exist",
    });
}

function toRule(text: string): FaultRule | undefined {
  const { point = "", action = "", ms, passage = "1" } = RULE.exec(text)?.groups ?? {};
  if (!FAULT_POINTS.has(point)) return undefined;
  const parsed = ms === undefined ? (action === "kill" ? "kill" : "stop") : Number(ms);
  return { point, action: parsed, passage: Number(passage) };
}
