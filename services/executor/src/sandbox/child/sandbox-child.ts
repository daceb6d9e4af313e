/** The process that holds a program: one program, one world, one report. */
import { askParent } from "../../child-pool/ask-parent.ts";
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { GuestRequest } from "../program.ts";
import { runGuest } from "./run-guest.ts";

serveCalls((message) =>
  runGuest(GuestRequest.parse(message), (tool, json) => JSON.stringify(askParent({ tool, json }))),
);
