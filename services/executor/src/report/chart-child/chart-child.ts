/** The process that draws charts. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { ChartRequest } from "../chart-renderer.ts";
import { checkChart } from "./check-chart.ts";
import { drawChart } from "./draw-chart.ts";

serveCalls((message) => drawChart(checkChart(ChartRequest.parse(message))));
