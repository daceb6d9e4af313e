/** The process that runs a program without tables: one program, one context, one report. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { GuestRequest } from "../program.ts";
import { runGuest } from "./run-guest.ts";

serveCalls((message) => runGuest(GuestRequest.parse(message)));
