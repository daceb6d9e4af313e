/** Reads XML as a row of tags and texts, in time that grows with its length alone. No entity but XML's own is known. */

export type XmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: string; readonly empty: boolean }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** The tags and texts of a document in their order; what is neither is skipped. */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (const [, slash, name, attributes = "", empty, text] of xml.matchAll(
    /<(\/?)([A-Za-z_][\w:.-]*)([^<>]*?)(\/?)>|([^<]+)/g,
  )) {
    if (text !== undefined) yield { kind: "text", text: decodeXml(text) };
    else if (name === undefined) continue;
    else if (slash === "/") yield { kind: "close", name };
    else yield { kind: "open", name, attributes, empty: empty === "/" };
  }
}

/** An attribute's value, among the attributes of a tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, found, double, single] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (found === name) return decodeXml(double ?? single ?? "");
  }
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text of XML, with its letters for entities. */
export function decodeXml(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === "string") return ENTITIES[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
