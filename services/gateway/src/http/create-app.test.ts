import { expect, it } from "vitest";
import { urlOfPage } from "./create-app.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const PROMETHEUS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

it.each([
  ["/metrics", BROWSER, "/metrics/"],
  ["/metrics?range=day", BROWSER, "/metrics/?range=day"],
  ["/metrics", PROMETHEUS, "/metrics"],
  ["/metrics", "*/*", "/metrics"],
  ["/metrics", undefined, "/metrics"],
  ["/v1/metrics", BROWSER, "/v1/metrics"],
  ["/metricsx", BROWSER, "/metricsx"],
])("routes %s for a client that accepts %s by %s", (url, accept, routed) => {
  expect(urlOfPage(url, accept)).toBe(routed);
});
