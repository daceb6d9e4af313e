/** The process that builds the Python image; it builds one and exits. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { buildImage } from "./build-image.ts";

serveCalls(() => buildImage());
