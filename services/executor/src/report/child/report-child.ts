/** The process that renders reports. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { ReportRequest } from "../report-renderer.ts";
import { renderReport } from "./render-report.ts";

serveCalls((message) => renderReport(ReportRequest.parse(message)));
