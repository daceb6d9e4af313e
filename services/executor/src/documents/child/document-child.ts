/** The process that reads untrusted documents. */
import { serveCalls } from "../../child-pool/serve-calls.ts";
import { DocumentRequest } from "../text-extractor.ts";
import { docxToText } from "./docx-to-text.ts";

serveCalls(async (message) => {
  const { kind, bytes } = DocumentRequest.parse(message);
  if (kind === "docx") return docxToText(bytes);
  // Large, and not needed for Word documents.
  const { pdfToText } = await import("./pdf-to-text.ts");
  return pdfToText(bytes);
});
