import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { PermanentError } from "@planwright/shared/errors";
import Papa from "papaparse";

/** A CSV file's text, ready to be walked through more than once. */
export type CsvText = { readonly file: string; readonly text: string; readonly delimiter: string };

/**
 * Reads a file as UTF-8, UTF-16 with its mark, or Windows-1252 when it is neither.
 *
 * @throws {PermanentError} `invalid_source` when it is no text.
 */
export function readCsv(path: string): CsvText {
  const bytes = readFileSync(path);
  // A program that adds rows may end them otherwise than the one that wrote the file; one kind is expected from here on.
  const text = decode(bytes).replaceAll(/\r\n?/g, "\n");
  // It is never typed; SQLite's functions would take it for the end of the text.
  if (text.includes("\0")) throw csvFault(basename(path), 0, "wanted text, got a binary file");
  const { meta } = Papa.parse<string[]>(text, { preview: 20, skipEmptyLines: "greedy" });
  return { file: basename(path), text, delimiter: meta.delimiter };
}

/**
 * Calls back with every row that is not empty, the header as row 0.
 *
 * @throws {PermanentError} `invalid_source` at a quote that never closes.
 */
export function eachCsvRow(
  { file, text, delimiter }: CsvText,
  take: (cells: string[], row: number) => void,
): void {
  let row = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    skipEmptyLines: "greedy",
    step: ({ data, errors: [error] }) => {
      if (error !== undefined) throw csvFault(file, row, error.message);
      take(data, row);
      row += 1;
    },
  });
}

export function csvFault(file: string, row: number, fault: string): PermanentError {
  return new PermanentError(`${file}, row ${row}: ${fault}`, { code: "invalid_source" });
}

function decode(bytes: Buffer): string {
  // TextDecoder drops the byte order mark itself.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Every byte sequence is Windows-1252; it is what spreadsheets save when they do not save UTF-8.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
