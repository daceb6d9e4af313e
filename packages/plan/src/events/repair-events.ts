/** Events that repair a plan, or report damage, after a fault of the infrastructure. */
import { z } from "zod";
import { defineEvent } from "./define-event.ts";
import { StepRun } from "./values.ts";

/** A user requests another attempt of a step whose work was dead-lettered. */
export const RedriveRequested = defineEvent("redrive.requested", {
  /** The dead-lettered attempt. */
  ...StepRun,
  by: z.string().max(256),
}).named(({ stepId, item, attempt }) => `redrive/${stepId}/${item}/${attempt}`);
export type RedriveRequested = z.infer<typeof RedriveRequested>;

/** Stored events are missing from the plan's log, so its state cannot be trusted. */
export const LogDamaged = defineEvent("log.damaged", {
  reason: z.string().max(2_000),
  by: z.string().max(128).meta({ description: "The service that detected the damage." }),
}).named(() => "log.damaged");
export type LogDamaged = z.infer<typeof LogDamaged>;
