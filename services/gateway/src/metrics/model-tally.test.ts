import { expect, it } from "vitest";
import { createModelTally } from "./model-tally.ts";
import { renderMetrics } from "./render-metrics.ts";

const call = { role: "planner", model: "small", durationMs: 30 };
const linesOf = (tally: ReturnType<typeof createModelTally>): string[] =>
  renderMetrics(tally.metrics()).split("\n");
const LABELS =
  'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="small",gen_ai_agent_name="planner"';
const DURATION = "gen_ai_client_inference_duration_seconds";

it("counts calls by duration, each bucket including those below it", () => {
  const tally = createModelTally();
  for (const durationMs of [10, 30, 40, 200_000]) tally.note({ ...call, durationMs });
  tally.note({ ...call, durationMs: 500, error: "unavailable" });
  const lines = linesOf(tally);
  const classes = ["0.01", "0.02", "0.04", "0.08", "81.92", "+Inf"].map((le) =>
    lines.find((line) => line.startsWith(`${DURATION}_bucket{${LABELS},error_type="",le="${le}"}`)),
  );
  expect(classes.map((line) => line?.split(" ")[1])).toEqual(["1", "1", "3", "3", "3", "4"]);
  expect(lines).toContain(`${DURATION}_sum{${LABELS},error_type=""} 200.08`);
  expect(lines).toContain(`${DURATION}_count{${LABELS},error_type="unavailable"} 1`);
});

it("counts the tokens of calls for which the server reported them", () => {
  const tally = createModelTally();
  tally.note({ ...call, tokens: { input: 300, cacheRead: 200, output: 4 } });
  tally.note({ ...call, tokens: { input: 100, output: 6, reasoning: 5, cacheWrite: 90 } });
  tally.note(call);
  const lines = linesOf(tally);
  const labels = `${LABELS},error_type=""`;
  const each = "gen_ai_client_inference_operation_input_tokens";
  expect(lines).toContain(`${each}_bucket{${labels},le="256"} 1`);
  expect(lines).toContain(`${each}_bucket{${labels},le="1024"} 2`);
  expect(lines).toContain(`${each}_count{${labels}} 2`);
  const sums = lines.filter((line) => line.startsWith("gen_ai_client_inference_usage_"));
  const series = `{${labels},gen_ai_token_modality="text"}`;
  expect(sums).toEqual([
    `gen_ai_client_inference_usage_input_tokens_total${series} 400`,
    `gen_ai_client_inference_usage_output_tokens_total${series} 10`,
    `gen_ai_client_inference_usage_cache_read_input_tokens_total${series} 200`,
    `gen_ai_client_inference_usage_cache_write_input_tokens_total${series} 90`,
    `gen_ai_client_inference_usage_reasoning_output_tokens_total${series} 5`,
  ]);
});

it("keeps labels few and well-formed, whatever names plans give their models", () => {
  const tally = createModelTally();
  tally.note({ ...call, model: 'a"} 1\nplanwright_plans{status="x\\' });
  for (let index = 0; index < 200; index++) tally.note({ ...call, model: `m${index}`, error: `e${index}` });
  const counts = linesOf(tally).filter((line) => line.startsWith(`${DURATION}_count`));
  expect(counts[0]).toContain('gen_ai_request_model="a\\"} 1\\nplanwright_plans{status=\\"x\\\\",');
  expect(counts).toHaveLength(51);
  expect(counts.at(-1)).toMatch(/gen_ai_request_model="others".*error_type="_OTHER"\} 151$/);
});
