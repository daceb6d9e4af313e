/** For tests: small PDF files, written by hand so that a single part can be invalid. */
import { Buffer } from "node:buffer";

export type PdfSettings = {
  readonly title?: string;
  /** Replaces the pages' own content, for example by a compressed stream, with its dictionary entries. */
  readonly content?: { readonly dictionary: string; readonly bytes: Uint8Array };
  /** Additional entries in the trailer. */
  readonly trailer?: string;
};

/** A PDF file with one page per list of lines. */
export function makePdf(pages: readonly (readonly string[])[], settings: PdfSettings = {}): Buffer {
  const contents = pages.map((lines) => settings.content ?? contentOf(lines));
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap(({ dictionary, bytes }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${bytes.byteLength} ${dictionary} >>\nstream\n`),
        bytes,
        Buffer.from("\nendstream"),
      ]),
    ]),
    `<< /Title (${settings.title ?? ""}) >>`,
  ];
  return assemble(objects, settings.trailer ?? "");
}

function contentOf(lines: readonly string[]): { dictionary: string; bytes: Buffer } {
  const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, "\\$&")}) Tj T*`).join("\n");
  return { dictionary: "", bytes: Buffer.from(`BT /F1 12 Tf 14 TL 50 700 Td\n${shown}\nET`) };
}

function assemble(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = 9;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.byteLength;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]));
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  add(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`));
  add(
    Buffer.from(
      `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
