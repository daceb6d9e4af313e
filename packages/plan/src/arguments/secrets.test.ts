// References to secrets: where they are recognised, which calls may use them, and why outputs cannot forge them.
import { describe, expect, it } from "vitest";
import { checkPlan } from "../check/check-plan.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { StepId } from "../values/ids.ts";
import { resolveWithOutputs } from "./resolve-arguments.ts";
import { loadArtifactValues, type ResolvedOutput } from "./resolve-references.ts";
import { SecretUse, ToolSpec } from "../language/tool-spec.ts";
import { isHostAllowed, parseHost, secretFault } from "./secret-fault.ts";
import { fillSecrets, findSecrets, secretsIn } from "./secret-references.ts";

const use = (more: object = {}) =>
  SecretUse.parse({ name: "CRM", arguments: ["headers.authorization"], hosts: ["crm.example"], ...more });
const bearer = { authorization: "Bearer {{secret.CRM}}" };
const url = "https://crm.example/people";

describe("a reference to a secret", () => {
  it("is found in any text, with its path", () => {
    const args = { url, headers: bearer, list: [{ a: "{{ secret.A_1 }}{{secret.B}}" }], count: 1 };
    expect(findSecrets(args)).toEqual([
      { name: "CRM", path: ["headers", "authorization"] },
      { name: "A_1", path: ["list", 0, "a"] },
      { name: "B", path: ["list", 0, "a"] },
    ]);
  });

  it("is a name in capitals: `{{secret.output}}` is the output of a step", () => {
    expect(
      secretsIn("{{secret.output}} {{secret.crm}} {{secret.CRM.output}} {{secrets.CRM}} {secret.CRM}"),
    ).toEqual([]);
    expect(secretsIn("no template")).toEqual([]);
  });

  it("belongs to the steps of a plan that is part of the arguments", () => {
    const plan = { steps: [{ id: "a", tool: "http.fetch", args: { headers: bearer } }] };
    expect(findSecrets({ plan })).toEqual([]);
  });

  it("is the only text that is replaced", () => {
    expect(fillSecrets("a {{secret.CRM}} {{s1.output}}", (name) => `<${name}>`)).toBe(
      "a <CRM> {{s1.output}}",
    );
    expect(fillSecrets("a", () => "b")).toBe("a");
  });
});

/** The arguments that a worker's tool receives, with the outputs of the step `a`. */
async function given(args: JsonObject, output: ResolvedOutput, loaded: Json = null) {
  const outputOf = (id: StepId) => (id === "a" ? output : undefined);
  const resolved = resolveWithOutputs(args, outputOf);
  if ("fault" in resolved) throw new Error(resolved.fault.message);
  const names = findSecrets(resolved.args).map(({ name }) => name);
  const filled = await loadArtifactValues(
    resolved.args,
    async () => loaded,
    (name) => `<${name}>`,
  );
  return { stored: resolved.args, names, filled };
}

describe("arguments with secrets", () => {
  const value = (json: Json): ResolvedOutput => ({ kind: "value", value: json });

  it("keep the reference where they are stored, next to resolved outputs", async () => {
    const { stored, filled } = await given({ text: "{{a.output}} {{secret.CRM}}" }, value("x"));
    expect(stored).toEqual({ text: "x {{secret.CRM}}" });
    expect(filled).toEqual({ text: "x <CRM>" });
  });

  it.each<[string, Json, JsonObject]>([
    ["as a text", "{{secret.CRM}}", { text: "{{a.output}}", value: { $ref: "a.output" } }],
    ["in an object", { deep: ["{{secret.CRM}}"] }, { value: { $ref: "a.output" } }],
    ["in a part", "secret.CRM", { text: "{{ {{a.output}} }}" }],
    ["with another part", "{{secret", { text: "{{a.output}}.CRM}}" }],
  ])("insert no value for text from an output %s", async (_how, output, args) => {
    const { names, filled } = await given(args, value(output));
    expect(names).toEqual([]);
    expect(JSON.stringify(filled)).not.toContain("<CRM>");
  });

  it("insert the value for text of the plan, next to an output with the same text", async () => {
    const args = { text: "{{secret.CRM}} {{a.output}}" };
    const { names, filled } = await given(args, value("{{secret.CRM}}"));
    expect(names).toEqual(["CRM"]);
    expect(filled).toEqual({ text: "<CRM> {{secret.CRM}}" });
  });

  it("insert no value for text from a file", async () => {
    const artifact = { kind: "artifact", artifact: "outputs/a.json" } as const;
    const args = { text: "{{secret.CRM}} {{a.output}}", value: { $ref: "a.output" } };
    const { names, filled } = await given(args, artifact, "{{secret.CRM}}");
    expect(names).toEqual(["CRM"]);
    expect(filled).toEqual({ text: "<CRM> {{secret.CRM}}", value: "{{secret.CRM}}" });
  });

  it("insert a value exactly where a reference is found, whatever surrounds it", async () => {
    const text = "{{secret.CRM}}";
    const odd: JsonObject = {
      a: { $literal: text },
      b: { $literal: 1, x: text },
      c: { $artifact: "f", path: [] },
      d: { $artifact: 1, x: text },
      e: { $template: [text, { $literal: text }] },
      f: { $template: text, x: [text] },
    };
    const found = findSecrets(odd).map(({ path }) => path.join("."));
    expect(found).toEqual(["b.x", "d.x", "e", "f.$template", "f.x.0"]);
    const filled = await loadArtifactValues(
      odd,
      async () => text,
      (name) => `<${name}>`,
    );
    expect(JSON.stringify(filled).split("<CRM>")).toHaveLength(found.length + 1);
  });

  it("leave a plan in them unchanged", async () => {
    const plan = { steps: [{ id: "b", tool: "http.fetch", args: { headers: bearer } }] };
    expect((await given({ plan }, value(1))).filled).toEqual({ plan });
  });
});

describe("a call", () => {
  const fault = (args: JsonObject, uses: readonly SecretUse[] = [use()], more: object = {}) => {
    const [reference] = findSecrets(args);
    if (reference === undefined) throw new Error("no reference");
    return secretFault({ tool: "http.fetch", args, uses, isResolved: true, ...more }, reference);
  };

  it.each([
    { url, headers: bearer },
    { url, headers: { Authorization: "{{secret.CRM}}" } },
  ])("can use a secret where its rule allows it: %j", (args) => expect(fault(args)).toBeUndefined());

  it.each<[JsonObject, readonly SecretUse[], RegExp]>([
    [{ url, headers: bearer }, [], /http\.fetch may use no secrets/],
    [{ url, headers: bearer }, [use({ name: "OTHER" })], /http\.fetch may use OTHER/],
    [{ url, headers: { cookie: "{{secret.CRM}}" } }, [use()], /only in headers\.authorization/],
    [
      { url: "https://evil.example/", headers: bearer },
      [use()],
      /only to crm\.example, got https:\/\/evil\.example in url/,
    ],
    [{ url: "http://crm.example/", headers: bearer }, [use()], /got http:\/\/crm\.example in url/],
    [
      { url: "https://crm.example:8443/", headers: bearer },
      [use()],
      /got https:\/\/crm\.example:8443 in url/,
    ],
    [{ url, checkUrl: "https://evil.example/", headers: bearer }, [use()], /in checkUrl/],
    [{ headers: bearer }, [use()], /without a URL/],
    [
      { url: { $template: ["https://", { $artifact: "x", path: [] }] }, headers: bearer },
      [use()],
      /an unknown host/,
    ],
    [{ url: "https://crm.example/?key={{secret.CRM}}" }, [use({ arguments: ["url"] })], /no secret in a URL/],
    [
      { items: ["https://crm.example/{{secret.CRM}}"] },
      [use({ arguments: ["items.*"] })],
      /no secret in a URL/,
    ],
  ])("is refused: %j", (args, uses, said) => expect(fault(args, uses)?.message).toMatch(said));

  it("can have several rules, one of which matches", () => {
    const rules = [use({ hosts: ["a.example"] }), use({ hosts: ["*.example"] })];
    expect(fault({ url, headers: bearer }, rules)).toBeUndefined();
    expect(fault({ url, headers: bearer }, rules.slice(0, 1))).toBeDefined();
  });

  it("of a tool without hosts can use a secret wherever the tool connects", () => {
    expect(
      fault({ token: "{{secret.CRM}}" }, [use({ hosts: undefined, arguments: ["token"] })]),
    ).toBeUndefined();
  });

  it("of a loop needs a rule for loops", () => {
    const args = { url, headers: bearer };
    expect(fault(args, [use()], { isInLoop: true })?.message).toMatch(/"loops": true/);
    expect(fault(args, [use({ loops: true })], { isInLoop: true })).toBeUndefined();
  });

  it("is not checked against a host that is not known yet", () => {
    const args = { url: "{{s1.output}}", headers: bearer };
    expect(fault(args, [use()], { isResolved: false })).toBeUndefined();
    expect(fault({ ...args, url: "https://evil.example" }, [use()], { isResolved: false })).toBeDefined();
  });
});

it("allows exact hosts, or all below one, over https unless the rule says otherwise", () => {
  const allows = (hosts: string[], to: string) => isHostAllowed(new URL(to), hosts);
  expect(allows(["*.a.example"], "https://b.a.example/")).toBe(true);
  expect(allows(["*.a.example"], "https://a.example/")).toBe(false);
  expect(allows(["a.example"], "https://a.example.evil.example/")).toBe(false);
  expect(allows(["http://127.0.0.1:8080"], "http://127.0.0.1:8080/x")).toBe(true);
  expect(allows(["no host?"], "https://a.example/")).toBe(false);
  expect(parseHost("A.example:443")).toEqual({ protocol: "https:", host: "a.example", isBelow: false });
});

describe("a plan", () => {
  const spec = (name: string, secrets?: readonly SecretUse[]) =>
    ToolSpec.parse({ name, description: name, input: {}, output: {}, effect: "read", timeoutMs: 1, secrets });
  const tools = new Map(
    [spec("http.fetch", [use()]), spec("files.write"), spec("agent.react"), spec("code.run")].map((one) => [
      one.name,
      one,
    ]),
  );
  const issuesOf = (tool: string, args: object, more: object = {}) =>
    checkPlan({ steps: [{ id: "s1", tool, args, ...more }] }, { tools }).issues.map((one) => [
      one.code,
      one.field,
      one.message,
    ]);

  it("can name a secret that its tool may use", () => {
    expect(issuesOf("http.fetch", { url, headers: bearer })).toEqual([]);
  });

  it("is refused if the secret is unknown or not for the tool", () => {
    expect(issuesOf("http.fetch", { url, headers: { authorization: "{{secret.CRN}}" } })).toEqual([
      [
        "unknown_secret",
        "args.headers.authorization",
        'http.fetch may not use a secret CRN; http.fetch may use CRM; did you mean "CRM"?',
      ],
    ]);
    expect(issuesOf("files.write", { content: "{{secret.CRM}}" })).toEqual([
      [
        "unknown_secret",
        "args.content",
        "files.write may not use a secret CRM; files.write may use no secrets; the secret is for http.fetch",
      ],
    ]);
    expect(issuesOf("http.fetch", { url: "https://evil.example", headers: bearer })).toEqual([
      [
        "secret_not_allowed",
        "args.headers.authorization",
        expect.stringContaining("got https://evil.example"),
      ],
    ]);
  });

  it("passes the name to a loop, whose calls can use the secret", () => {
    expect(issuesOf("agent.react", { goal: "use {{secret.CRM}}" })).toEqual([]);
    expect(issuesOf("code.run", { code: "{{secret.NONE}}" })).toEqual([
      ["unknown_secret", "args.code", "there is no secret NONE"],
    ]);
  });

  it("is checked in a compensation too", () => {
    const compensate = { tool: "files.write", args: { content: "{{secret.CRM}}" } };
    expect(issuesOf("http.fetch", { url }, { compensate })).toContainEqual([
      "unknown_secret",
      "compensate.args.content",
      expect.stringContaining("files.write may use no secrets"),
    ]);
  });

  it("cannot use one as a list item or through $ref", () => {
    expect(issuesOf("http.fetch", { url }, { forEach: ["{{secret.CRM}}"] })).toEqual([
      ["malformed_reference", "forEach[0]", expect.any(String)],
    ]);
    expect(issuesOf("http.fetch", { url, headers: { authorization: { $ref: "secret.CRM" } } })).toEqual([
      ["malformed_reference", "args.headers.authorization", expect.any(String)],
    ]);
  });

  it("can still have a step named secret", () => {
    const steps = [
      { id: "secret", tool: "files.write", args: {} },
      { id: "s2", tool: "files.write", args: { content: "{{secret.output}}" } },
    ];
    expect(checkPlan({ steps }, { tools }).issues).toEqual([]);
  });
});
