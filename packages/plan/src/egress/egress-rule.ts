/** How a plan handles URLs that a model composed after it had read content, as recorded in its log. */
import { z } from "zod";

export const EgressRule = z.object({
  composedUrls: z.enum(["approve", "allow", "deny"]).default("approve").meta({
    description:
      "Whether a call needs approval, runs or is forbidden if it contains a URL that a model composed after reading untrusted or private content.",
  }),
  hosts: z.array(z.string()).default([]).meta({
    description: "Hosts to which such URLs are allowed: exact names, or `*.example.com` for all subdomains.",
  }),
});
export type EgressRule = z.infer<typeof EgressRule>;

/** The default without a policy. */
export const EGRESS_DEFAULT: EgressRule = { composedUrls: "approve", hosts: [] };

/** Maximum number of a call's URLs that an approval shows. */
export const COMPOSED_SHOWN_MAX = 20;

/** A URL in a call's arguments that a model composed: its destination, and the data it carries. */
export const ComposedUrl = z.object({
  argument: z.string().meta({ description: "Path of the argument, such as `url` or `pages[2].href`." }),
  host: z.string().optional().meta({
    description: "Includes the port if the URL has one; absent if the URL is not known before the call.",
  }),
  path: z.string().optional(),
  query: z.string().optional().meta({ description: "Decoded, without the question mark." }),
});
export type ComposedUrl = z.infer<typeof ComposedUrl>;
