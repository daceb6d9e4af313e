/** The process that runs a program with tables. It is separate because it needs SQLite, which ignores Node's permissions. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { GuestRequest } from "../program.ts";
import { openGuestTables } from "./guest-tables.ts";
import { runGuest } from "./run-guest.ts";

serveCalls((message) => runGuest(GuestRequest.parse(message), openGuestTables));
