/** The `facts` of a submission: which outputs a model turns into facts. */
import { z } from "zod";

/**
 * - `off`: none;
 * - `large`: those above `PAYLOAD_BYTES_MAX`, which only the processor reads in full;
 * - `all`: every output.
 *
 * Each output costs one model call. Outputs that a model wrote are never processed: their prompt sets their length.
 */
export const FactsPolicy = z.enum(["off", "large", "all"]);
export type FactsPolicy = z.infer<typeof FactsPolicy>;
