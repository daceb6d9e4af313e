import { buffer } from "node:stream/consumers";
import { PermanentError } from "@planwright/shared/errors";
import pdfmake from "pdfmake";
import { headingStyle, pdfContent, TEXT_POINTS } from "./pdf-content.ts";
import { FONT_FOLDER, FONTS, TEXT_FONT } from "./pdf-fonts.ts";
import type { ReportDocument } from "./report-document.ts";

const PAGES_MAX = 300;
const A4_WIDTH = 595.28;
const MARGIN = 54;

pdfmake.setFonts(FONTS);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((file) => file.startsWith(FONT_FOLDER));

/** @throws {PermanentError} `report_too_large` beyond 300 pages. */
export async function writePdf({
  title,
  blocks,
}: ReportDocument): Promise<{ bytes: Uint8Array; pages: number }> {
  let pages = 1;
  const document = await pdfmake
    .createPdf({
      info: { title, creator: "Planwright", producer: "Planwright", creationDate: new Date(0) },
      pageSize: "A4",
      pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN],
      defaultStyle: { font: TEXT_FONT, fontSize: TEXT_POINTS, lineHeight: 1.2 },
      content: [
        { ...headingStyle(1), text: title, outline: true },
        ...pdfContent(blocks, A4_WIDTH - 2 * MARGIN),
      ],
      footer: (page, count) => {
        pages = count;
        return {
          text: `${page} / ${count}`,
          alignment: "center",
          fontSize: 8,
          color: "#4a5365",
          margin: [0, 18, 0, 0],
        };
      },
    })
    .getStream();
  if (pages > PAGES_MAX)
    throw new PermanentError(`the PDF would have ${pages} pages, the limit is ${PAGES_MAX}`, {
      code: "report_too_large",
    });
  // The library requires a date and writes all enumerable ones; the time of an attempt would make every file differ.
  Object.defineProperty(document.info, "CreationDate", { enumerable: false });
  document.end();
  return { bytes: await buffer(document), pages };
}
