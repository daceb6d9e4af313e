/** The process that parses untrusted HTML. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { PageRequest } from "../page-reader.ts";
import { htmlToPage } from "./html-to-page.ts";

serveCalls((message) => htmlToPage(PageRequest.parse(message)));
