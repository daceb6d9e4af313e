import { expect, it } from "vitest";
import { traceUrl } from "./trace-url.ts";

it.each([
  ["http://localhost:16686/trace/{traceId}", true],
  [
    'https://grafana.example/explore?panes={"t":{"datasource":"tempo","queries":[{"query":"{traceId}"}]}}',
    true,
  ],
  ["https://{traceId}.example/", false],
  ["https://viewer.example/traces", false],
  ["javascript:alert('{traceId}')", false],
  ["https://me:secret@viewer.example/{traceId}", false],
  ["/trace/{traceId}", false],
])("%s: is a valid trace URL: %s", (template, valid) => {
  expect(traceUrl().safeParse(template).success).toBe(valid);
});
