/** What becomes of URLs that a model composed after it had read content, as the log of each plan records it. */
import { z } from "zod";

export const EgressRule = z.object({
  composedUrls: z.enum(["approve", "allow", "deny"]).default("approve").meta({
    description:
      "What becomes of a call with a URL that a model composed after untrusted or private content had been read: it needs approval, runs, or is forbidden.",
  }),
  hosts: z.array(z.string()).default([]).meta({
    description: "Hosts for which such URLs are free: exact names, or `*.example.com` for all below it.",
  }),
});
export type EgressRule = z.infer<typeof EgressRule>;

/** Where no policy says otherwise. */
export const EGRESS_DEFAULT: EgressRule = { composedUrls: "approve", hosts: [] };

/** Of the URLs of one call, those that an approval shows. */
export const COMPOSED_SHOWN_MAX = 20;

/** A URL among a call's arguments that a model composed: where it goes, and what it tells. */
export const ComposedUrl = z.object({
  argument: z.string().meta({ description: "Where it stands among the arguments: `url`, `pages[2].href`." }),
  host: z.string().optional().meta({
    description: "With the port, if it names one; absent when the URL is not known before the call.",
  }),
  path: z.string().optional(),
  query: z.string().optional().meta({ description: "Decoded, without the question mark." }),
});
export type ComposedUrl = z.infer<typeof ComposedUrl>;

/** Whether a host is one of these, or below one that begins with `*.`. */
export function isHostAmong(host: string, hosts: readonly string[]): boolean {
  return hosts.some((pattern) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1).toLowerCase()) : host === pattern.toLowerCase(),
  );
}
