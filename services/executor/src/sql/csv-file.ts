/** The files of a folder that become tables. */
export const CSV_FILE = /\.(csv|tsv)$/i;
