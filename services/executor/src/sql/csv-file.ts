/** The files of a folder that are tables. */
export const CSV_FILE = /\.(csv|tsv)$/i;
