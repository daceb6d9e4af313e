/** The process that makes the image of Python; it makes one, and ends. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { buildImage } from "./build-image.ts";

serveCalls(() => buildImage());
