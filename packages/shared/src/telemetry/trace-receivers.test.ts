import { expect, it } from "vitest";
import { traceReceivers, tracesTo } from "./trace-receivers.ts";

const own = {
  PLANWRIGHT_TRACE_RECEIVER: "http://gateway:8080/otlp",
  PLANWRIGHT_TRACE_RECEIVER_HEADERS: { authorization: "Bearer k" },
};
const other = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const OWN = { endpoint: "http://gateway:8080/otlp", headers: { authorization: "Bearer k" } };
const OTHER = { endpoint: "http://collector:4318", headers: {} };

it.each([
  ["nowhere when nobody is named", {}, "embedded", []],
  ["to the gateway, unless somebody else is named", own, "embedded", [OWN]],
  ["to whom is named, and no longer to the gateway", { ...own, ...other }, "endpoint", [OTHER]],
  [
    "to both when that is said",
    { ...own, ...other, PLANWRIGHT_TRACES: "both" as const },
    "both",
    [OWN, OTHER],
  ],
  [
    "to the gateway when that is said",
    { ...own, ...other, PLANWRIGHT_TRACES: "embedded" as const },
    "embedded",
    [OWN],
  ],
  [
    "to the other one alone where the gateway's is not known",
    { ...other, PLANWRIGHT_TRACES: "both" as const },
    "both",
    [OTHER],
  ],
])("sends spans %s", (_, settings, to, receivers) => {
  expect(tracesTo(settings)).toBe(to);
  expect(traceReceivers(settings)).toEqual(receivers);
});

it.each(["endpoint", "both"] as const)(
  "prevents a service from starting with PLANWRIGHT_TRACES=%s and no endpoint",
  (to) => {
    expect(() => traceReceivers({ ...own, PLANWRIGHT_TRACES: to })).toThrow(
      `PLANWRIGHT_TRACES=${to} needs OTEL_EXPORTER_OTLP_ENDPOINT`,
    );
  },
);
