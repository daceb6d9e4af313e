// REDACT-1 to REDACT-7.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_FINDERS, BUILT_IN_NAMES, type BuiltInName } from "./built-in-finders.ts";
import { compilePattern } from "./compile-pattern.ts";
import { createKeyRule } from "./key-rules.ts";
import { createRedactor, type Redactor, type Rule, TEXT_CHARS_MAX } from "./redactor.ts";
import { LOG_LINES, VIEWS } from "./surfaces.ts";

const clock = () => 0;
const ruleOf = (name: BuiltInName): Rule => ({
  name,
  replacement: `[redacted: ${name}]`,
  find: BUILT_IN_FINDERS[name],
});
const KEYS: Rule = {
  name: "credentials",
  replacement: "[redacted: credentials]",
  keys: createKeyRule(["password", "*.card_number", "customer.*.secret"]),
};
const EMPLOYEE: Rule = {
  name: "employee",
  replacement: "[redacted: employee]",
  find: compilePattern(String.raw`\bE-[0-9]{6}\b`, { ignoreCase: false }),
};
const ALL = [...BUILT_IN_NAMES.map(ruleOf), KEYS, EMPLOYEE];
const redactor = createRedactor(ALL, { clock });
const only = (...names: BuiltInName[]): Redactor => createRedactor(names.map(ruleOf), { clock });

const CARDS = [
  "4111111111111111",
  "4111 1111 1111 1111",
  "5500-0000-0000-0004",
  "378282246310005",
  "6011000990139424",
  "30569309025904",
];
const EMAILS = [
  "ann@example.com",
  "ann.lee+x@mail.example.co.uk",
  "jörg@müller.example",
  "ann%40example.com",
];
const IBANS = ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "gb82 west 1234 5698 7654 32"];
const KEYS_OF_OTHERS = [
  "sk-proj-abcdefghijklmnop1234",
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "AKIAIOSFODNN7EXAMPLE",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
];

describe("a built-in rule", () => {
  it.each([
    ...EMAILS.map((text) => ["email", text] as const),
    ...CARDS.map((text) => ["card", text] as const),
    ...IBANS.map((text) => ["iban", text] as const),
    ...KEYS_OF_OTHERS.map((text) => ["api-key", text] as const),
    ["us-ssn", "078-05-1120"] as const,
    ["phone", "+49 (30) 901820-00"] as const,
  ])("%s hides %s", (name, text) => {
    expect(only(name).text(`of ${text}, today`)).toBe(`of [redacted: ${name}], today`);
  });

  it.each([
    ["email", "ann at example.com, @ann, a@b"],
    ["card", "4111111111111112 and 1234567812345670, at 1795822414000"],
    ["card", "17958224140001234567890 of 4111-1111"],
    ["iban", "DE88370400440532013000 or DE8937040044053201300"],
    ["us-ssn", "000-12-3456, 900-12-3456, 123-456-7890"],
    ["api-key", "a token of trust, Bearer {{secret.CRM}}, basic authentication, sk-1"],
    ["phone", "030 901820, 1+1 = 2, +1"],
  ] as const)("%s leaves alone %s", (name, text) => {
    expect(only(name).text(text)).toBe(text);
  });

  it("finds a card number after other digits of the same run", () => {
    expect(only("card").text("2026 4111 1111 1111 1111")).toBe("2026 [redacted: card]");
  });

  it("hides the credential of an Authorization header and keeps its scheme", () => {
    expect(only("api-key").text("authorization: Bearer abcdefghijklmnop123")).toBe(
      "authorization: Bearer [redacted: api-key]",
    );
  });

  it("takes linear time in the length of the text, even for near matches", () => {
    const hostile = [
      "a",
      "a.",
      "1 ",
      "eyJ",
      "-----BEGIN ",
      "DE89 ",
      "+1 ",
      "sk-",
      "bearer ",
      "password",
      "a@a.",
    ];
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(300_000 / part.length));
      const startedAt = performance.now();
      redactor.text(text);
      // Quadratic time would take minutes; the limit leaves room for a busy machine.
      expect(performance.now() - startedAt, part).toBeLessThan(10_000);
    }
  });
});

describe("a rule of keys", () => {
  it("hides the value of a key at any depth and of any type", () => {
    expect(
      redactor.json({ a: [{ passWord: "x" }, { password: 7 }, { password: { b: 1 } }, { password: null }] }),
    ).toEqual({
      a: [
        { passWord: "[redacted: credentials]" },
        { password: "[redacted: credentials]" },
        { password: "[redacted: credentials]" },
        { password: null },
      ],
    });
  });

  it("compares a path from its end, with * for one key or position", () => {
    const value = { cardNumber: "a", pay: { "card-number": "b" }, customer: [{ secret: "c" }], secret: "d" };
    expect(redactor.json(value)).toEqual({
      cardNumber: "a",
      pay: { "card-number": "[redacted: credentials]" },
      customer: [{ secret: "[redacted: credentials]" }],
      secret: "d",
    });
  });

  it.each([
    ['{"password":"hunter2","b":1}', '{"password":"[redacted: credentials]","b":1}'],
    ['cut off: {"password":"hunter2","b', 'cut off: {"password":"[redacted: credentials]","b'],
    ['cut off: {"password":"hunt', 'cut off: {"password":"[redacted: credentials]'],
    [
      String.raw`in a text: {\"password\":\"hun\\\"ter2\"} …`,
      String.raw`in a text: {\"password\":\"[redacted: credentials]\"} …`,
    ],
    ["with password=hunter2&x=1", "with password=[redacted: credentials]&x=1"],
    ["password: {a: 1, b: [2]} and", "password: [redacted: credentials] and"],
    ["the password is known", "the password is known"],
  ])("hides it in the text %s", (text, wanted) => {
    expect(redactor.text(text)).toBe(wanted);
  });
});

describe("JSON", () => {
  it("hides numbers and keys among a plan's own values", () => {
    expect(redactor.json({ "ann@example.com": 4111111111111111, n: 5 })).toEqual({
      "[redacted: email]": "[redacted: card]",
      n: 5,
    });
  });

  it("keeps two hidden keys distinct", () => {
    const hidden = redactor.json({ "ann@example.com": 1, "bob@example.com": 2 });
    expect(hidden).toEqual({ "[redacted: email]": 1, "[redacted: email] 2": 2 });
    expect(redactor.json(hidden)).toBe(hidden);
  });

  it("hides a number that has more digits than JavaScript keeps", () => {
    expect(redactor.text('{"card":4111111111111111110}')).toBe('{"card":"[redacted: card]"}');
    expect(redactor.text('{"other":12345678901234567890}')).toBe('{"other":12345678901234567890}');
    expect(redactor.text('{"other":12345678901234567890,"to":"ann@example.com"}')).toBe(
      '{"other":12345678901234567890,"to":"[redacted: email]"}',
    );
  });

  it("returns the same object when nothing is hidden, and otherwise the same unaffected parts", () => {
    const same = { a: [1, { b: "c" }] };
    expect(redactor.json(same)).toBe(same);
    expect(redactor.json({ same, other: "ann@example.com" }).same).toBe(same);
  });

  it("leaves ids, states, times and numbers of a view unchanged, but hides them in arguments", () => {
    const digits = createRedactor(
      [{ ...EMPLOYEE, find: compilePattern("[0-9]{6}", { ignoreCase: false }) }],
      { clock },
    );
    const view = {
      planId: "p-123456",
      submittedAt: "2026-11-27T10:00:00.123456Z",
      progress: { etaMs: 123456 },
      goal: "123456",
      steps: [{ id: "s-123456", args: { id: "s-123456", n: 123456 }, dependsOn: ["s-123456"] }],
    };
    expect(digits.json(view, VIEWS)).toEqual({
      ...view,
      goal: "[redacted: employee]",
      steps: [{ ...view.steps[0], args: { id: "s-[redacted: employee]", n: "[redacted: employee]" } }],
    });
  });

  it("leaves the frame of a log line unchanged", () => {
    const line = {
      level: 30,
      time: 1795822414000,
      name: "ann@example.com",
      planId: "p",
      msg: "to ann@example.com",
    };
    expect(redactor.json(line, LOG_LINES)).toEqual({ ...line, msg: "to [redacted: email]" });
  });
});

const parts = fc.oneof(
  fc.constantFrom(
    ...EMAILS,
    ...CARDS,
    ...IBANS,
    ...KEYS_OF_OTHERS,
    "E-123456",
    "password",
    ':"',
    "=",
    "{",
    "}",
    '\\"',
  ),
  fc.constantFrom("078-05-1120", "+49 30 901820", "[redacted: email]", "[redacted: ", " ", ",", "4111", "@"),
  fc.string({ maxLength: 8 }),
);
const texts = fc.array(parts, { maxLength: 12 }).map((some) => some.join(""));
const SHOWN = /\[redacted: (?:[a-z-]+|too long)\]/;

describe("for any text", () => {
  it("leaves nothing that a rule matches", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const piece of redactor.text(text).split(SHOWN)) {
          for (const { find, name } of ALL) expect([...(find?.(piece) ?? [])], name).toEqual([]);
        }
      }),
    );
  });

  it("is not changed by a second redaction", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
      }),
    );
  });
});

function stringsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, entry]) => [key, ...stringsIn(entry)]);
}

describe("for any JSON", () => {
  const values = fc.jsonValue({ stringUnit: "grapheme" });
  const secrets = fc.dictionary(fc.oneof(texts, fc.constant("password")), fc.oneof(texts, values), {
    maxKeys: 5,
  });

  it("stays JSON, is not changed by a second redaction, and has no matches left", () => {
    fc.assert(
      fc.property(secrets, (value) => {
        const text = redactor.text(JSON.stringify(value));
        expect(redactor.json(JSON.parse(text))).toEqual(JSON.parse(text));
        for (const piece of stringsIn(JSON.parse(text)).flatMap((one) => one.split(SHOWN))) {
          for (const { find, name } of ALL) expect([...(find?.(piece) ?? [])], name).toEqual([]);
        }
      }),
    );
  });
});

describe("limits", () => {
  it("hides a text that is too long", () => {
    expect(redactor.text("a".repeat(TEXT_CHARS_MAX + 1))).toBe("[redacted: too long]");
  });

  it("hides a text that takes too long", () => {
    let now = 0;
    const slow = createRedactor(ALL, { clock: () => (now += 400) });
    expect(slow.text("nothing to hide")).toBe("[redacted: too long]");
  });

  it("hides values nested too deeply, and hides many keys in little time", () => {
    const deep = `${"[".repeat(50_000)}"ann@example.com"${"]".repeat(50_000)}`;
    expect(redactor.text(deep)).not.toContain("ann");
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`a${index}@example.com`, index]),
    );
    const hidden = redactor.json(many);
    expect(Object.keys(hidden)).toHaveLength(20_000);
    expect(JSON.stringify(hidden)).not.toContain("@");
  });

  it("does nothing without rules", () => {
    const none = createRedactor([], { clock });
    expect(none.isActive).toBe(false);
    expect(none.text("ann@example.com")).toBe("ann@example.com");
  });

  it("finds the replacements in a value that a client sends back", () => {
    expect(redactor.replacementIn({ edits: { to: ["x", "to [redacted: email]"] } })).toBe(
      "[redacted: email]",
    );
    expect(redactor.replacementIn({ edits: { to: "redacted" } })).toBeUndefined();
  });
});
