/** The process that writes to SQLite files: one request, one response. No program and no query runs here. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { ChangeRequest } from "../change-request.ts";
import { applyChanges, hasEffect, unwritable } from "./apply-changes.ts";

serveCalls((message) => {
  const request = ChangeRequest.parse(message);
  try {
    return request.do === "look" ? hasEffect(request) : applyChanges(request);
  } catch (error) {
    throw unwritable(request.name, error);
  }
});
