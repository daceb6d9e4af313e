/** The part of pdfmake that is used here: its published types pull in those of a whole browser page. */
declare module "pdfmake" {
  type Style = {
    bold?: boolean;
    italics?: boolean;
    decoration?: "lineThrough" | "underline";
    font?: string;
    /** In points, like all lengths. */
    fontSize?: number;
    lineHeight?: number;
    color?: string;
    background?: string;
    alignment?: "left" | "center" | "right";
    /** Left, top, right, bottom. */
    margin?: [number, number, number, number];
    preserveLeadingSpaces?: boolean;
  };
  type TextPart = Style & { text: string; link?: string };
  type Layout = {
    hLineWidth?: (row: number, node: { table: { body: unknown[] } }) => number;
    vLineWidth?: (column: number) => number;
    hLineColor?: () => string;
    vLineColor?: () => string;
    paddingLeft?: (column: number) => number;
    paddingRight?: (column: number) => number;
    paddingTop?: (row: number) => number;
    paddingBottom?: (row: number) => number;
    fillColor?: (row: number) => string | null;
  };
  type Content =
    | (Style & { text: string | TextPart[]; outline?: boolean })
    | (Style & { stack: Content[]; unbreakable?: boolean })
    | (Style & { ul: Content[] })
    | (Style & { ol: Content[]; start: number })
    | (Style & {
        table: { headerRows: number; widths: number[]; body: Content[][]; dontBreakRows?: boolean };
        layout: Layout;
      })
    | (Style & { svg: string; width: number; height: number });
  type Definition = {
    info: { title: string; creator: string; producer: string; creationDate: Date };
    pageSize: "A4";
    pageMargins: [number, number, number, number];
    defaultStyle: Style;
    content: Content[];
    footer: (page: number, pages: number) => Content;
  };
  type Family = { normal: string; bold: string; italics: string; bolditalics: string };
  /** Readable only once. */
  type Document = NodeJS.ReadableStream & { readonly info: object; end(): void };

  const pdfmake: {
    setFonts(fonts: Record<string, Family>): void;
    setUrlAccessPolicy(mayLoad: (url: string) => boolean): void;
    setLocalAccessPolicy(mayRead: (path: string) => boolean): void;
    createPdf(definition: Definition): { getStream(): Promise<Document> };
  };
  export type { Content, Layout, Style, TextPart };
  export default pdfmake;
}
