// Every kind of login and of TLS with a real nats-server: it connects, or one log line explains the error and the
// process tries again.
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { connectBus } from "@planwright/shared/bus";
import { startNats, type TestNats } from "@planwright/testkit";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectNats, natsAccess } from "../src/access/index.ts";
import { commonConfig, readConfig } from "../src/service/index.ts";
import { startAckRenewal } from "../src/queue/index.ts";

const TLS = path.join(import.meta.dirname, "fixtures", "tls");
const pem = (name: string): string => path.join(TLS, `${name}.pem`);
const serverTls = () => ({ cert_file: pem("server"), key_file: pem("server-key") });

const user = nkeys.createUser();
const seed = Buffer.from(user.getSeed()).toString();
const stranger = Buffer.from(nkeys.createUser().getSeed()).toString();
const authorization = {
  users: [{ user: "ann", password: "p%ss,w:rd" }, { nkey: user.getPublicKey() }],
};

let folder: string;
let seedFile: string;
let locked: TestNats;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-access-"));
  seedFile = path.join(folder, "user.nk");
  await writeFile(seedFile, `${seed}\n`);
  locked = await startNats({ settings: { authorization } });
});
afterAll(async () => {
  await locked[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const startByToken = () => startNats({ settings: { authorization: { token: "s3cret" } } });

/** Connects with these settings; resolves with the inbox prefix once the server has answered an API call. */
async function login(settings: Record<string, string>): Promise<string> {
  const access = natsAccess(readConfig(commonConfig, settings));
  await using bus = await connectBus({ ...access, name: "test", signal: AbortSignal.timeout(10_000) });
  await bus.manager.getAccountInfo();
  return bus.newInbox().split(".").slice(0, -1).join(".");
}

/** Resolves with the `why` of the log lines. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const lines: { why: string; level: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  const stop = new AbortController();
  const access = natsAccess(readConfig(commonConfig, settings));
  const connecting = connectBus({ ...access, name: "test", signal: stop.signal, log });
  connecting.catch(() => undefined);
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
  // Long enough for further tries, which are silent.
  await new Promise((resolve) => setTimeout(resolve, 700));
  stop.abort();
  await expect(connecting).rejects.toThrow("aborted");
  expect(lines.map(({ level }) => level)).toEqual([40]);
  return lines[0]?.why ?? "";
}

describe("a login", () => {
  it("accepts the seed of an nkey, or a file with it", async () => {
    const inbox = `_INBOX.${user.getPublicKey()}`;
    expect(await login({ NATS_URL: locked.url, NATS_NKEY_SEED: seed })).toBe(inbox);
    expect(await login({ NATS_URL: locked.url, NATS_NKEY_SEED: seedFile })).toBe(inbox);
  });

  it("takes user and password from the settings or from the URL", async () => {
    const password = "p%ss,w:rd";
    expect(await login({ NATS_URL: locked.url, NATS_USER: "ann", NATS_PASSWORD: password })).toBe(
      "_INBOX.ann",
    );
    const { host } = new URL(locked.url);
    expect(await login({ NATS_URL: `nats://ann:${encodeURIComponent(password)}@${host}` })).toBe(
      "_INBOX.ann",
    );
  });

  it("accepts a token", async () => {
    await using byToken = await startByToken();
    expect(await login({ NATS_URL: byToken.url, NATS_TOKEN: "s3cret" })).toBe("_INBOX");
    expect(await refusal({ NATS_URL: byToken.url, NATS_TOKEN: "wrong" })).toBe(
      "it refused the login: check NATS_TOKEN",
    );
  });

  it("accepts a credentials file, which can expire", async () => {
    const { settings, credsFor } = operatorMode();
    await using nats = await startNats({ settings });
    const [good, expired] = [path.join(folder, "good.creds"), path.join(folder, "expired.creds")];
    const { creds, publicKey } = credsFor({});
    await writeFile(good, creds);
    await writeFile(expired, credsFor({ exp: 1_600_000_000 }).creds);
    expect(await login({ NATS_URL: nats.url, NATS_CREDS: good })).toBe(`_INBOX.${publicKey}`);
    expect(await refusal({ NATS_URL: nats.url, NATS_CREDS: expired })).toMatch(/NATS_CREDS|has expired/);
  });

  it("also works in the thread that renews messages in progress", async () => {
    const access = natsAccess({ NATS_URL: locked.url, NATS_NKEY_SEED: seedFile });
    await using renewal = await startAckRenewal({ ...access, count: 1, log: pino({ level: "silent" }) });
    expect(renewal.hold("$JS.ACK.x", 0)).toBeDefined();
  });

  it.each([
    { of: "no login", settings: {}, why: /^it requires a login: set NATS_NKEY_SEED/ },
    {
      of: "a wrong password",
      settings: { NATS_USER: "ann", NATS_PASSWORD: "wrong" },
      why: /^it refused the login as ann: check NATS_USER and NATS_PASSWORD$/,
    },
    {
      of: "a stranger's nkey",
      settings: { NATS_NKEY_SEED: stranger },
      why: /^it refused the login: check NATS_NKEY_SEED$/,
    },
  ])("is refused in one line without secrets, and retried: $of", async ({ settings, why }) => {
    expect(await refusal({ NATS_URL: locked.url, ...settings })).toMatch(why);
  });

  it("is retried soon when the first attempt failed", async () => {
    let connections = 0;
    const way = createServer((socket) => {
      connections++;
      if (connections === 1) return;
      const { hostname, port } = new URL(locked.url);
      const upstream = connect(Number(port), hostname);
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on("error", () => undefined);
    }).listen(0, "127.0.0.1");
    try {
      await once(way, "listening");
      const address = way.address();
      const url = `nats://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const access = { url, login: { kind: "nkey", seed } } as const;
      await (await connectNats(access, { name: "test", signal: AbortSignal.timeout(60_000) })).close();
      expect(connections).toBe(2);
    } finally {
      way.close();
    }
  });

  it("is repeated after the server was killed, with one log line after seconds without it", async () => {
    await using byToken = await startByToken();
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const url = `nats://s3cret@${new URL(byToken.url).host}`;
    await using bus = await connectBus({ url, name: "test", log });
    await byToken.kill();
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1);
    expect(lines[0]).toContain("ECONNREFUSED");
    expect(lines[0]).not.toContain("s3cret");
    await byToken.restart();
    const streams = async () => (await bus.manager.getAccountInfo()).streams;
    await expect.poll(() => streams().catch(() => undefined), { timeout: 10_000 }).toBe(0);
    expect(lines).toHaveLength(1);
  });
});

describe("settings of NATS", () => {
  it.each([
    { NATS_USER: "ann" },
    { NATS_PASSWORD: "p" },
    { NATS_TLS_CERT: pem("client") },
    { NATS_TOKEN: "t", NATS_NKEY_SEED: seed },
  ])("are rejected with their names when they contradict each other: %o", (settings) => {
    const config = readConfig(commonConfig, settings as Record<string, string>);
    const names = Object.keys(settings);
    expect(() => natsAccess(config)).toThrow(new RegExp(names[0] ?? ""));
  });

  it.each([
    { name: "NATS_NKEY_SEED", value: "/nonexistent/seed" },
    { name: "NATS_NKEY_SEED", value: "SUNOSEED" },
    { name: "NATS_CREDS", value: "/nonexistent/creds" },
    { name: "NATS_CREDS", value: pem("ca") },
    { name: "NATS_TLS_CA", value: "/nonexistent/ca.pem" },
  ])("end the start when they name no credential: $name", async ({ name, value }) => {
    const starting = login({ NATS_URL: locked.url, [name]: value });
    await expect(starting).rejects.toMatchObject({
      code: "nats_settings",
      message: expect.stringContaining(`${name}: `) as string,
    });
  });

  it("accept a list of servers and use the first that answers", async () => {
    const dead = "nats://127.0.0.1:1";
    expect(await login({ NATS_URL: `${dead}, ${locked.url}`, NATS_NKEY_SEED: seed })).toContain("_INBOX.U");
  });
});

describe("TLS", () => {
  const access = { NATS_USER: "ann", NATS_PASSWORD: "p%ss,w:rd", NATS_TLS_CA: pem("ca") };
  let secure: TestNats;

  beforeAll(async () => {
    await certify("server");
    const tls = { cert_file: path.join(folder, "shown.pem"), key_file: path.join(folder, "shown-key.pem") };
    secure = await startNats({ settings: { authorization, tls } });
  });
  afterAll(() => secure[Symbol.asyncDispose]());

  /** Sets the certificate that the secure server presents from its next start. */
  async function certify(name: string): Promise<void> {
    await copyFile(pem(name), path.join(folder, "shown.pem"));
    await copyFile(pem(`${name}-key`), path.join(folder, "shown-key.pem"));
  }

  it("is used when the server requires it and its authority is known", async () => {
    expect(await login({ NATS_URL: secure.url, ...access })).toBe("_INBOX.ann");
    expect(await login({ NATS_URL: secure.url.replace("nats:", "tls:"), ...access })).toBe("_INBOX.ann");
  });

  it("is refused in one line when the authority is unknown", async () => {
    const { NATS_TLS_CA: _ca, ...others } = access;
    const why = /^its certificate is signed by an unknown authority: set NATS_TLS_CA/;
    expect(await refusal({ NATS_URL: secure.url, ...others })).toMatch(why);
    expect(await refusal({ NATS_URL: secure.url, ...access, NATS_TLS_CA: pem("other-ca") })).toMatch(why);
  });

  it.each([
    { name: "expired", why: /^its certificate has expired/ },
    { name: "misnamed", why: /^its certificate is for other host names/ },
  ])("is refused in one line when the certificate is $name", async ({ name, why }) => {
    await certify(name);
    await secure.kill();
    await secure.restart();
    expect(await refusal({ NATS_URL: secure.url, ...access })).toMatch(why);
  });

  it("is reported as not offered when only the client requires it", async () => {
    expect(await refusal({ NATS_URL: locked.url.replace("nats:", "tls:") })).toMatch(/^it offers no TLS/);
  });

  it("presents the client's certificate when the server verifies clients", async () => {
    const tls = { ...serverTls(), ca_file: pem("ca"), verify: true };
    await using nats = await startNats({ settings: { tls } });
    const own = { NATS_TLS_CERT: pem("client"), NATS_TLS_KEY: pem("client-key") };
    const known = { NATS_URL: nats.url, NATS_TLS_CA: pem("ca") };
    expect(await login({ ...known, ...own })).toBe("_INBOX");
    expect(await refusal(known)).toMatch(/NATS_TLS_CERT, NATS_TLS_KEY/);
  });

  it("is reported as missing in one line when the server requires it before the greeting", async () => {
    await using nats = await startNats({ settings: { tls: { ...serverTls(), handshake_first: true } } });
    expect(await refusal({ NATS_URL: nats.url, NATS_TLS_CA: pem("ca") })).toMatch(/^it sends no greeting/);
  });

  it("does not hang silently when the other side is not a NATS server", async () => {
    const mute = createServer(() => undefined).listen(0, "127.0.0.1");
    try {
      await new Promise((resolve) => mute.once("listening", resolve));
      const address = mute.address();
      const port = typeof address === "object" ? address?.port : 0;
      expect(await refusal({ NATS_URL: `nats://127.0.0.1:${port}` })).toMatch(/^it sends no greeting/);
    } finally {
      mute.close();
    }
  });
});

/** A server whose users are JWTs: an operator, an account with JetStream, and credentials files for users. */
function operatorMode() {
  const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const operatorJwt = jwt(operator, operator.getPublicKey(), { nats: { type: "operator", version: 2 } });
  const system = nkeys.createAccount();
  const accountOf = (key: typeof account, more: object): string =>
    jwt(operator, key.getPublicKey(), {
      nats: { limits: { ...limits, ...more }, type: "account", version: 2 },
    });
  const settings = {
    operator: operatorJwt,
    resolver: "MEMORY",
    system_account: system.getPublicKey(),
    resolver_preload: {
      [account.getPublicKey()]: accountOf(account, storage),
      [system.getPublicKey()]: accountOf(system, {}),
    },
  };
  const credsFor = (more: object) => {
    const key = nkeys.createUser();
    const publicKey = key.getPublicKey();
    const token = jwt(account, publicKey, {
      ...more,
      nats: { ...unlimited, pub: {}, sub: {}, type: "user", version: 2 },
    });
    const part = (name: string, text: string) =>
      `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
    const keySeed = Buffer.from(key.getSeed()).toString();
    return { publicKey, creds: `${part("NATS USER JWT", token)}\n${part("USER NKEY SEED", keySeed)}` };
  };
  return { settings, credsFor };
}

function jwt(issuer: ReturnType<typeof nkeys.createUser>, sub: string, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = { jti: sub, iat: 1_500_000_000, iss: issuer.getPublicKey(), name: "test", sub, ...claims };
  const signed = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode(body)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString("base64url")}`;
}
