// The units for systemd: what they start is there, and systemd itself understands them where it is installed.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const FOLDER = "deploy/systemd";
const units = globSync("*", { cwd: FOLDER }).map((name) => ({ name, lines: linesOf(name) }));

function linesOf(name: string): string[] {
  const text = readFileSync(`${FOLDER}/${name}`, "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function valueOf(unit: string, key: string): string | undefined {
  const line = linesOf(unit).find((one) => one.startsWith(`${key}=`));
  return line?.slice(key.length + 1);
}

function codeOf(error: Error): unknown {
  return "code" in error ? error.code : undefined;
}

describe.each(units)("$name", ({ name, lines }) => {
  it("has sections and settings only", () => {
    expect(lines[0]).toMatch(/^\[Unit\]$/);
    expect(lines.filter((line) => !/^(?:\[\w+\]|[A-Z]\w+=.*)$/.test(line))).toEqual([]);
  });

  it("is understood by systemd", () => {
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", `${FOLDER}/${name}`], {
      encoding: "utf8",
    });
    // Elsewhere than on Linux with systemd, the other tests have to do.
    expect(error === undefined ? stderr : codeOf(error)).toBe(error === undefined ? "" : "ENOENT");
  });
});

it("the system is started as `npm start` does, and restarted after a fault but not after a stop or a wrong setting", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
  const command = scripts.start.replace(/^exec /, "");
  expect(valueOf("planwright.service", "ExecStart")).toBe(`/usr/bin/env ${command} --json-logs`);
  expect(existsSync("scripts/up.mjs")).toBe(true);
  expect(valueOf("planwright.service", "Restart")).toBe("on-failure");
  expect(valueOf("planwright.service", "RestartPreventExitStatus")).toBe("2");
  expect(valueOf("planwright.service", "KillMode")).toBe("mixed");
});

it("bubblewrap can make its namespaces", () => {
  const hindrances = ["RestrictNamespaces", "SystemCallFilter", "PrivateUsers"];
  expect(hindrances.filter((key) => valueOf("planwright.service", key) !== undefined)).toEqual([]);
});
