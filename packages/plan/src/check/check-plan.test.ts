import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LIMITS } from "../values/limits.ts";
import { echo } from "../testing/steps.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { checkPlan } from "./check-plan.ts";
import { checkStep } from "./check-step.ts";

const tool = (name: string, input: z.ZodType) =>
  ToolSpec.parse({
    name,
    description: name,
    input: z.toJSONSchema(input, { io: "input" }),
    output: {},
    timeoutMs: 1_000,
  });

const specs = [
  tool("flow.echo", z.strictObject({ value: z.unknown() })),
  tool(
    "docs.search",
    z.strictObject({ query: z.string().max(20), limit: z.int().min(1).max(50).default(5) }),
  ),
  tool("http.fetch", z.strictObject({ url: z.url() })),
  tool(
    "sql.query",
    z.strictObject({
      source: z.enum(["sales", "stock"]),
      sql: z.string(),
      params: z
        .array(z.union([z.string(), z.number()]))
        .max(3)
        .optional(),
    }),
  ),
  tool(
    "math.evaluate",
    z.strictObject({
      expression: z.string(),
      variables: z.record(z.string().regex(/^[a-z]+$/), z.number()).optional(),
    }),
  ),
];
const tools = new Map(specs.map((spec) => [spec.name, spec]));

const check = (steps: unknown, rest: object = {}) => checkPlan({ steps, ...rest }, { tools });
const search = (args: object) => ({ id: "s1", tool: "docs.search", args });
/** Code, step, field of each issue. */
const faults = ({ issues }: ReturnType<typeof checkPlan>) =>
  issues.map(({ code, stepId, field }) => [code, stepId, field]);
const onlyMessage = ({ issues }: ReturnType<typeof checkPlan>) => {
  expect(issues).toHaveLength(1);
  return issues[0]?.message;
};

describe("a valid plan", () => {
  it("is returned with its defaults filled in", () => {
    const { plan, issues } = check([echo("a"), echo("b", { value: { $ref: "a.output" } })], {
      answerFrom: "b",
      reasoning: "why",
    });
    expect(issues).toEqual([]);
    expect(plan).toMatchObject({
      answerFrom: "b",
      reasoning: "why",
      steps: [{ id: "a", description: "" }, { id: "b" }],
    });
  });

  it("can refer forward and contain references of every kind", () => {
    const args = { value: { deep: [{ $ref: "b.output[0]" }, "text {{c.output.x}}"] } };
    expect(check([{ ...echo("a"), args }, echo("b"), echo("c")]).issues).toEqual([]);
  });

  it("of 10,000 steps in a chain is accepted", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) =>
      echo(`s${index}`, { value: index === 0 ? 0 : { $ref: `s${index - 1}.output` } }),
    );
    expect(check(steps).plan?.steps).toHaveLength(10_000);
  });
});

describe("the shape of a plan", () => {
  it.each([
    ["null", null, ""],
    ["an empty list", [], "steps"],
    ["text", "plan", ""],
  ])("is refused when it is %s", (_name, input, field) => {
    expect(faults(checkPlan(input, { tools }))).toEqual([["malformed", undefined, field]]);
  });

  it.each([[undefined], [null], [[]], [{}], ["s1"]])("is refused when its steps are %j", (steps) => {
    expect(faults(check(steps, { answerFrom: "s1" }))).toEqual([["malformed", undefined, "steps"]]);
  });

  it("is refused field by field, each with its path", () => {
    const result = check(
      [
        { id: "a", tool: "flow.echo", args: { value: 1 }, depends_on: [], dependsOn: [], x: 1 },
        { id: "not an id", tool: 7, args: [], dependsOn: {}, timeoutMs: 0.5 },
        "step",
        { id: "b", tool: "flow.echo", args: { value: 1 }, retry: { maxAttempts: 99, times: 2 } },
      ],
      { answerFrom: [5], goal: "x", step: [] },
    );
    expect(faults(result)).toEqual([
      ["malformed", undefined, "answerFrom"],
      ["malformed", undefined, "goal"],
      ["malformed", undefined, "step"],
      ["malformed", "a", "steps[0].depends_on"],
      ["malformed", "a", "steps[0].x"],
      ["malformed", undefined, "steps[1].id"],
      ["malformed", undefined, "steps[1].tool"],
      ["malformed", undefined, "steps[1].args"],
      ["malformed", undefined, "steps[1].dependsOn"],
      ["malformed", undefined, "steps[1].timeoutMs"],
      ["malformed", undefined, "steps[2]"],
      ["malformed", "b", "steps[3].retry.maxAttempts"],
      ["malformed", "b", "steps[3].retry.times"],
    ]);
    const messages = result.issues.map((issue) => issue.message);
    expect(messages).toContain('unknown field "depends_on": use "dependsOn"');
    expect(messages).toContain('there is no such field; did you mean "steps"?');
    expect(messages).toContain('wanted 1 to 64 letters, digits, underscores or hyphens, got "not an id"');
    expect(messages).toContain("wanted a list, got an empty object");
    expect(messages).toContain("wanted at most 5, got 99");
    expect(messages).toContain('wanted an object, got "step"');
  });

  it("is checked for other faults even where a step is malformed", () => {
    const result = check([
      { ...echo("a", { value: { $ref: "zz.output" }, dependsOn: ["yy"] }), tool: "flow.ech", timeoutMs: -1 },
      echo("b", { value: 1, dependsOn: ["a"] }),
    ]);
    expect(faults(result)).toEqual([
      ["malformed", "a", "steps[0].timeoutMs"],
      ["unknown_tool", "a", "tool"],
      ["unknown_dependency", "a", "dependsOn[0]"],
      ["dangling_reference", "a", "args.value"],
    ]);
  });

  it("is refused with the limit that it exceeds when it has too many steps", () => {
    const steps = [echo("a"), echo("b"), echo("c")];
    const result = checkPlan({ steps, answerFrom: "c" }, { tools, limits: { ...LIMITS, stepsMax: 2 } });
    expect(faults(result)).toEqual([["too_many_steps", undefined, "steps"]]);
    expect(onlyMessage(result)).toBe("wanted at most 2 steps, got 3");
  });

  it("refuses sparse lists from a caller in the same process", () => {
    const steps: unknown[] = [echo("a")];
    steps[2] = echo("c");
    expect(faults(check(steps))[0]).toEqual(["not_json", undefined, "steps[1]"]);
  });
});

describe("issues outside any readable step", () => {
  it("give their location in the plan", () => {
    const result = check([["\0"], { id: "?", note: "\0" }]);
    const unsafe = faults(result).filter(([code]) => code === "unsafe_text");
    expect(unsafe).toEqual([
      ["unsafe_text", undefined, "steps[0][0]"],
      ["unsafe_text", undefined, "steps[1].note"],
    ]);
  });

  it("are counted even beyond 200", () => {
    const rest = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`field${index}`, 1]));
    expect(check([echo("a")], rest).issues.at(-1)?.message).toBe("51 more issues are not listed");
  });
});

describe("the ids and dependencies of a plan", () => {
  it("must be unique", () => {
    const result = check([echo("a"), echo("b"), echo("a")]);
    expect(faults(result)).toEqual([["duplicate_id", "a", "id"]]);
    expect(onlyMessage(result)).toContain('"a" at steps[0] and at steps[2]');
  });

  it("must not refer to the step itself", () => {
    expect(faults(check([echo("a", { value: "{{a.output}}", dependsOn: ["a"] })]))).toEqual([
      ["self_dependency", "a", "dependsOn[0]"],
      ["self_dependency", "a", "args.value"],
    ]);
  });

  it("must refer to existing steps, and a similar name is suggested", () => {
    const result = check([
      echo("search-a"),
      echo("b", { value: { $ref: "serch-a.output" }, dependsOn: ["search-b", "zzz"] }),
    ]);
    expect(faults(result)).toEqual([
      ["unknown_dependency", "b", "dependsOn[0]"],
      ["unknown_dependency", "b", "dependsOn[1]"],
      ["dangling_reference", "b", "args.value"],
    ]);
    expect(result.issues.map(({ message }) => message.includes('did you mean "search-a"'))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ["a reference without .output", { value: { $ref: "a.rows" } }, "args.value"],
    ["a template that is none", { value: ["{{ count }}"] }, "args.value[0]"],
    ["a reference with something beside it", { value: { $ref: "a.output", path: "x" } }, "args.value"],
    ["a reference that is no text", { value: { $ref: 1 } }, "args.value"],
    ["a reference for all arguments", { $ref: "a.output" }, "args"],
  ])("must not be written as %s", (_name, args, field) => {
    expect(faults(check([echo("a"), { ...echo("b"), args }]))).toEqual([["malformed_reference", "b", field]]);
  });

  it("must not go round in a circle, which is named", () => {
    const result = check([
      echo("a", { value: 1, dependsOn: ["b"] }),
      echo("b", { value: { $ref: "c.output" } }),
      echo("c", { value: "{{a.output}}" }),
      echo("d", { value: 1, dependsOn: ["a"] }),
    ]);
    expect(faults(result)).toEqual([["cycle", "a", "dependsOn"]]);
    expect(onlyMessage(result)).toContain("a → b → c → a");
  });

  it("names a long cycle with its middle left out", () => {
    const steps = Array.from({ length: 1_000 }, (_, index) =>
      echo(`s${index}`, { value: 1, dependsOn: [`s${(index + 1) % 1_000}`] }),
    );
    expect(onlyMessage(check(steps))).toContain("s9 → … 981 more … → s991 →");
  });

  it("must name an existing step as the answer", () => {
    const result = check([echo("summary")], { answerFrom: "sumary" });
    expect(faults(result)).toEqual([["unknown_answer_step", undefined, "answerFrom"]]);
    expect(onlyMessage(result)).toContain('did you mean "summary"?');
  });
});

describe("the tools of a plan", () => {
  it("must exist, and a similar name is suggested", () => {
    const result = check([
      { id: "a", tool: "doc.search", args: {} },
      { id: "b", tool: "email", args: {} },
    ]);
    expect(faults(result)).toEqual([
      ["unknown_tool", "a", "tool"],
      ["unknown_tool", "b", "tool"],
    ]);
    expect(result.issues[0]?.message).toBe('there is no tool "doc.search"; did you mean "docs.search"?');
    expect(result.issues[1]?.message).toContain('there are "flow.echo", "docs.search"');
  });

  it("must be among those that the plan can use", () => {
    const result = checkPlan({ steps: [echo("a")] }, { tools, allowed: ["docs.search"] });
    expect(faults(result)).toEqual([["tool_not_allowed", "a", "tool"]]);
    expect(onlyMessage(result)).toBe('this plan may not use "flow.echo"; it may use "docs.search"');
    expect(checkPlan({ steps: [echo("a")] }, { tools, allowed: ["flow.echo"] }).issues).toEqual([]);
  });
});

describe("the arguments of a step", () => {
  it.each([
    ["a missing one", search({}), "args.query", "wanted text, got nothing"],
    ["one of another type", search({ query: 5 }), "args.query", "wanted text, got 5"],
    ["one too long", search({ query: "x".repeat(21) }), "args.query", "wanted at most 20 characters, got"],
    ["one too small", search({ query: "x", limit: 0 }), "args.limit", "wanted at least 1, got 0"],
    ["a fraction", search({ query: "x", limit: 1.5 }), "args.limit", "wanted a whole number, got 1.5"],
    [
      "an unknown one",
      search({ query: "x", limits: 1 }),
      "args.limits",
      'docs.search has no such argument; did you mean "limit"?',
    ],
    [
      "a malformed one",
      { id: "s1", tool: "http.fetch", args: { url: "nowhere" } },
      "args.url",
      'wanted text that is a valid url, got "nowhere"',
    ],
    [
      "one out of a set",
      { id: "s1", tool: "sql.query", args: { source: "x", sql: "" } },
      "args.source",
      'wanted one of "sales", "stock", got "x"',
    ],
    [
      "one of no alternative",
      { id: "s1", tool: "sql.query", args: { source: "stock", sql: "", params: [true] } },
      "args.params[0]",
      "wanted text or a number, got true",
    ],
    [
      "too many entries",
      { id: "s1", tool: "sql.query", args: { source: "stock", sql: "", params: [1, 2, 3, 4] } },
      "args.params",
      "wanted at most 3 entries, got a list of 4",
    ],
    [
      "a bad key",
      { id: "s1", tool: "math.evaluate", args: { expression: "A", variables: { A: 1 } } },
      "args.variables.A",
      "wanted a valid key",
    ],
  ])("are refused for %s", (_name, step, field, message) => {
    const result = check([step]);
    expect(faults(result)).toEqual([["invalid_arguments", "s1", field]]);
    expect(onlyMessage(result)).toContain(message);
  });

  it.each([
    ["a value", "docs.search", { query: { $ref: "a.output" }, limit: { $ref: "a.output.n" } }],
    ["text of a certain form", "http.fetch", { url: "{{a.output.url}}" }],
    ["text of a certain length", "docs.search", { query: "a long text before {{a.output}}" }],
    ["one of a set", "sql.query", { source: "{{a.output}}", sql: "" }],
    ["a whole list", "sql.query", { source: "stock", sql: "", params: { $ref: "a.output" } }],
    [
      "an element of a union",
      "sql.query",
      { source: "stock", sql: "", params: [{ $ref: "a.output" }, "{{a.output}}"] },
    ],
    ["a whole object", "math.evaluate", { expression: "x", variables: { $ref: "a.output" } }],
    ["a value of an object", "math.evaluate", { expression: "x", variables: { x: { $ref: "a.output" } } }],
  ])("can be a reference that stands for %s", (_name, name, args) => {
    expect(check([echo("a"), { id: "s1", tool: name, args }]).issues).toEqual([]);
  });

  it("are still checked around a reference", () => {
    const args = {
      source: "nowhere",
      sql: { $ref: "a.output" },
      params: [{ $ref: "a.output" }, 1, 2, 3],
      x: { $ref: "a.output" },
    };
    expect(faults(check([echo("a"), { id: "s1", tool: "sql.query", args }]))).toEqual([
      ["invalid_arguments", "s1", "args.source"],
      ["invalid_arguments", "s1", "args.params"],
      ["invalid_arguments", "s1", "args.x"],
    ]);
    const variables = { A: { $ref: "a.output" } };
    expect(
      faults(check([echo("a"), { id: "s1", tool: "math.evaluate", args: { expression: "A", variables } }])),
    ).toEqual([["invalid_arguments", "s1", "args.variables.A"]]);
  });

  it("cannot be a template where text is not allowed, since a template produces text", () => {
    const result = check([echo("a"), search({ query: "x", limit: "{{a.output.n}}" })]);
    expect(faults(result)).toEqual([["invalid_arguments", "s1", "args.limit"]]);
    expect(onlyMessage(result)).toContain("gives the value itself");
  });

  it("have a size limit, counted in bytes of JSON", () => {
    const limits = { ...LIMITS, argsBytesMax: 30 };
    // {"value":"…"} is 12 bytes around the text; each ü is two.
    expect(checkPlan({ steps: [echo("a", { value: "ü".repeat(9) })] }, { tools, limits }).issues).toEqual([]);
    const result = checkPlan({ steps: [echo("a", { value: "ü".repeat(10) })] }, { tools, limits });
    expect(faults(result)).toEqual([["args_too_large", "a", "args"]]);
    expect(onlyMessage(result)).toBe("wanted at most 30 bytes of arguments as JSON, got 32");
  });

  it("are described when they are objects, lists or long", () => {
    const input = z.strictObject({
      a: z.number(),
      b: z.strictObject({ c: z.number().optional() }).optional(),
      d: z.union([z.strictObject({ e: z.literal(1) }), z.strictObject({ f: z.number() })]).optional(),
      g: z.enum(Array.from({ length: 12 }, (_, index) => `n${index}`)).optional(),
    });
    const rules = { tools: new Map([["test.tool", tool("test.tool", input)]]) };
    const messages = (args: object) =>
      checkPlan({ steps: [{ id: "s", tool: "test.tool", args }] }, rules).issues.map(({ field, message }) => [
        field,
        message,
      ]);
    expect(messages({ a: { w: 1, x: 1, y: 1, z: 1 } })).toEqual([
      ["args.a", 'wanted a number, got an object with "w", "x", "y", …'],
    ]);
    expect(messages({ a: {} })).toEqual([["args.a", "wanted a number, got an empty object"]]);
    expect(messages({ a: "x".repeat(100) })).toEqual([
      ["args.a", `wanted a number, got "${"x".repeat(80)}…" (100 characters)`],
    ]);
    expect(messages({ a: 1, b: { d: 1 } })).toEqual([["args.b.d", "test.tool has no such argument"]]);
    expect(messages({ a: 1, d: { e: 2 } })).toEqual([
      ["args.d", 'wanted 1 at "e" or a number at "f", got an object with "e"'],
    ]);
    expect(messages({ a: 1, d: { e: 1, f: 1 } })).toEqual([
      ["args.d", 'wanted no field named "f" or no field named "e", got an object with "e", "f"'],
    ]);
    expect(messages({ a: 1, g: null })[0]?.[1]).toContain('"n9" and 2 more, got null');
    expect(messages({ a: 1, "odd key": 1 })[0]?.[0]).toBe('args["odd key"]');
  });

  it("are unknown, without a suggestion, to a tool that names none", () => {
    const none = ToolSpec.parse({
      name: "no.args",
      description: "x",
      input: { type: "object", additionalProperties: false },
      output: {},
      timeoutMs: 1,
    });
    const result = checkPlan(
      { steps: [{ id: "s", tool: "no.args", args: { x: { $ref: "s.output" }, y: 1 } }] },
      { tools: new Map([["no.args", none]]) },
    );
    expect(result.issues.map(({ code, field }) => [code, field])).toEqual([
      ["self_dependency", "args.x"],
      ["invalid_arguments", "args.x"],
      ["invalid_arguments", "args.y"],
    ]);
  });

  it("are left to the tool when its schema cannot be checked here", () => {
    const odd = ToolSpec.parse({
      name: "odd.tool",
      description: "x",
      input: { type: "object", if: {} },
      output: {},
      timeoutMs: 1,
    });
    const rules = { tools: new Map([["odd.tool", odd]]) };
    expect(checkPlan({ steps: [{ id: "a", tool: "odd.tool", args: { any: 1 } }] }, rules).issues).toEqual([]);
  });

  it("are left to the tool when its schema fails while it is applied", () => {
    const input = {
      allOf: [
        { type: "object", properties: { a: { default: 1 } } },
        { type: "object", properties: { a: { default: 2 } } },
      ],
    };
    const odd = ToolSpec.parse({ name: "odd.tool", description: "x", input, output: {}, timeoutMs: 1 });
    expect(
      checkPlan({ steps: [{ id: "a", tool: "odd.tool", args: {} }] }, { tools: new Map([["odd.tool", odd]]) })
        .issues,
    ).toEqual([]);
  });

  it("are checked by every supported keyword of the schema language", () => {
    const input = {
      type: "object",
      properties: {
        even: { type: "number", multipleOf: 2, exclusiveMinimum: 0, exclusiveMaximum: 10 },
        code: { type: "string", pattern: "^[A-Z]+$", minLength: 2 },
        list: { type: "array", uniqueItems: true, items: {}, minItems: 1 },
        has: { type: "array", contains: { const: 1 }, items: {} },
        fixed: { const: "on" },
        none: { not: {} },
        map: { type: "object", minProperties: 1 },
        one: { oneOf: [{ type: "number" }, { type: "integer" }] },
        nil: { type: "null" },
      },
    };
    const odd = ToolSpec.parse({ name: "odd.tool", description: "x", input, output: {}, timeoutMs: 1 });
    const rules = {
      tools: new Map([
        ["odd.tool", odd],
        ["flow.echo", specs[0] ?? odd],
      ]),
    };
    const messages = (args: object) =>
      checkPlan({ steps: [echo("a"), { id: "b", tool: "odd.tool", args }] }, rules).issues.map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(
      messages({
        even: 3,
        code: "a",
        list: [],
        has: [2],
        fixed: "off",
        none: 1,
        map: {},
        one: 1,
        nil: false,
      }),
    ).toEqual([
      "args.even: wanted a multiple of 2, got 3",
      'args.code: wanted at least 2 characters, got "a"',
      'args.code: wanted text that matches /^[A-Z]+$/, got "a"',
      "args.list: wanted at least 1 entries, got an empty list",
      "args.has: wanted what the schema says (Array must contain at least 1 matching element; found 0), got a list of 1",
      'args.fixed: wanted "on", got "off"',
      "args.none: wanted nothing, got 1",
      "args.map: wanted at least 1 fields, got an empty object",
      "args.one: wanted exactly one of its alternatives, got 1",
      "args.nil: wanted null, got false",
    ]);
    expect(messages({ even: 0 })).toEqual(["args.even: wanted more than 0, got 0"]);
    expect(messages({ even: 10 })).toEqual(["args.even: wanted less than 10, got 10"]);
    expect(messages({ list: [1, 1] })[0]).toContain("args.list[1]");
    expect(
      messages({ has: [{ $ref: "a.output" }], one: { $ref: "a.output" }, code: "{{a.output}}" }),
    ).toEqual([]);
  });
});

describe("content that no plan may contain", () => {
  const json = (text: string): unknown => JSON.parse(text);

  it.each([
    ["__proto__", '{"value": {"__proto__": {"x": 1}}}', "args.value.__proto__"],
    ["constructor", '{"value": [{"constructor": 1}]}', "args.value[0].constructor"],
    ["prototype", '{"prototype": 1, "value": 1}', "args.prototype"],
    ["$artifact", '{"value": {"$artifact": "other/plan", "path": []}}', "args.value.$artifact"],
    ["$literal", '{"value": {"$literal": 1}}', "args.value.$literal"],
    ["$template", '{"value": {"$template": []}}', "args.value.$template"],
  ])("is a key named %s", (_key, args, field) => {
    const found = faults(check([{ ...echo("a"), args: json(args) }]));
    expect(found).toContainEqual(["unsafe_key", "a", field]);
  });

  it("includes such a key anywhere else", () => {
    expect(
      faults(
        checkPlan(
          json('{"steps": [{"id": "a", "tool": "flow.echo", "args": {"value": 1}}], "__proto__": 1}'),
          { tools },
        ),
      ),
    ).toContainEqual(["unsafe_key", undefined, "__proto__"]);
    expect(
      faults(
        check([json('{"id": "a", "tool": "flow.echo", "args": {"value": 1}, "retry": {"constructor": 1}}')]),
      ),
    ).toContainEqual(["unsafe_key", "a", "retry.constructor"]);
  });

  it.each([
    ["NUL", "a\0b"],
    ["a lone high surrogate", "\ud800"],
    ["a lone low surrogate", "x\udc00"],
  ])("includes text with %s, in values, keys and descriptions", (_name, text) => {
    expect(faults(check([echo("a", { value: [text], description: text })], { reasoning: text }))).toEqual([
      ["unsafe_text", undefined, "reasoning"],
      ["unsafe_text", "a", "description"],
      ["unsafe_text", "a", "args.value[0]"],
    ]);
    const [issue] = check([echo("a", { value: { [text]: 1 } })]).issues;
    expect(issue?.code).toBe("unsafe_text");
    expect(issue?.field.isWellFormed()).toBe(true);
    expect(issue?.field).not.toContain("\0");
  });

  it("includes numbers that JSON cannot represent", () => {
    expect(faults(check([{ ...echo("a"), args: json('{"value": [1e999, -1e999]}') }]))).toEqual([
      ["not_finite", "a", "args.value[0]"],
      ["not_finite", "a", "args.value[1]"],
    ]);
  });

  it.each([
    ["a date", new Date(0)],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a big integer", 1n],
    ["undefined in a list", [undefined]],
  ])("includes %s", (_name, value) => {
    expect(faults(check([echo("a", { value })]))[0]?.[0]).toBe("not_json");
  });

  it("includes a value that contains itself, but not one that is used twice", () => {
    const ring: unknown[] = [];
    ring.push([ring]);
    expect(faults(check([echo("a", { value: ring })]))).toEqual([["not_json", "a", "args.value[0][0]"]]);
    const shared = { x: 1 };
    expect(check([echo("a", { value: [shared, shared] })]).issues).toEqual([]);
  });

  it("includes nesting beyond 64 levels, however deep", () => {
    const nested = (levels: number) => json(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    expect(check([echo("a", { value: nested(63) })]).issues).toEqual([]);
    expect(faults(check([echo("a", { value: nested(64) })]))).toEqual([
      ["depth_exceeded", "a", `args.value${"[0]".repeat(63)}`],
    ]);
    // Built by hand, since a parser might refuse it.
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = { deep };
    expect(faults(check([echo("a", { value: deep })])).map(([code]) => code)).toEqual(["depth_exceeded"]);
    expect(faults(check([echo("a"), deep])).map(([code]) => code)).toContain("depth_exceeded");
    expect(faults(check([echo("a")], { reasoning: deep })).map(([code]) => code)).toEqual([
      "depth_exceeded",
      "malformed",
    ]);
  });

  it("is listed up to 200 issues, the last of which counts the rest", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => ({
      id: `s${index}`,
      tool: "flow.eco",
      args: { value: 1 },
    }));
    const { issues } = check(steps);
    expect(issues).toHaveLength(200);
    expect(issues.at(-1)).toEqual({
      code: "more_issues",
      field: "",
      message: "9801 more issues are not listed",
    });
    expect(check(steps.slice(0, 200)).issues.at(-1)?.code).toBe("unknown_tool");
  });
});

describe("checking", () => {
  it("never throws, and never accepts a plan that it does not return, for any JSON", () => {
    const anyStep = fc.record(
      {
        id: fc.oneof(fc.constantFrom("a", "b", "c", ""), fc.jsonValue()),
        tool: fc.oneof(fc.constantFrom(...tools.keys()), fc.jsonValue()),
        args: fc.oneof(
          fc.record(
            {
              value: fc.jsonValue(),
              query: fc.constantFrom("x", "{{a.output}}"),
              sql: fc.constant({ $ref: "b.output" }),
            },
            { requiredKeys: [] },
          ),
          fc.jsonValue(),
        ),
        dependsOn: fc.oneof(fc.array(fc.constantFrom("a", "b", "c", "d")), fc.jsonValue()),
        extra: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const anyPlan = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { steps: fc.array(anyStep), answerFrom: fc.constantFrom("a", "z", 1) },
        { requiredKeys: ["steps"] },
      ),
    );
    fc.assert(
      fc.property(anyPlan, (input) => {
        const { plan, issues } = checkPlan(input, { tools });
        expect(plan === undefined).toBe(issues.length > 0);
        // Checking is idempotent: a checked plan passes unchanged.
        expect(plan && checkPlan(plan, { tools }).plan).toEqual(plan);
      }),
    );
  });
});

describe("a step of a draft", () => {
  const draft = { tools, planned: new Set(["s1", "s2"]), earlier: new Set(["old"]) };

  it("is returned when it is valid, and can use earlier steps", () => {
    const result = checkStep(
      echo("s3", { value: [{ $ref: "s1.output" }, { $ref: "old.output" }], dependsOn: ["s2"] }),
      draft,
    );
    expect(result.step).toMatchObject({ id: "s3", dependsOn: ["s2"] });
  });

  it("cannot use steps that are not planned yet, nor an id that is taken", () => {
    const { step, issues } = checkStep(
      echo("s2", { value: { $ref: "s4.output" }, dependsOn: ["s5"] }),
      draft,
    );
    expect(step).toBeUndefined();
    expect(issues.map(({ code }) => code)).toEqual([
      "duplicate_id",
      "unknown_dependency",
      "dangling_reference",
    ]);
    expect(issues[1]?.message).toContain("wanted a step planned before this one");
  });

  it("cannot use any step when none is planned", () => {
    const result = checkStep(echo("s1", { value: { $ref: "s0.output" } }), {
      tools,
      planned: new Set<string>(),
    });
    expect(result.issues.map(({ code }) => code)).toEqual(["dangling_reference"]);
  });

  it("is malformed, with its position in the draft", () => {
    expect(
      checkStep({ id: "s3", tool: "flow.echo", args: { value: 1 }, dependsOn: 1 }, draft).issues,
    ).toEqual([
      { code: "malformed", stepId: "s3", field: "steps[2].dependsOn", message: "wanted a list, got 1" },
    ]);
    expect(checkStep(null, { tools, planned: new Set<string>() }).issues[0]?.field).toBe("steps[0]");
  });

  it("is refused when the draft is full", () => {
    const limits = { ...LIMITS, stepsMax: 2 };
    expect(checkStep(echo("s3"), { ...draft, limits }).issues[0]?.code).toBe("too_many_steps");
    expect(checkStep(echo("s3"), { ...draft, limits: { ...limits, stepsMax: 3 } }).issues).toEqual([]);
  });
});
