// What a start requires before anything runs: a usable address and data folder, or an error that says how to fix it.
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { makeWritable } from "../src/supervisor/lock-data-folder.ts";
import { requireFreePort } from "../src/supervisor/ports.ts";

async function temporaryFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-folder-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

it("accepts a free address, and reports why another cannot be used", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // A TCP server has such an address.
  await expect(requireFreePort({ host: "127.0.0.1", port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is already in use: stop the other program, or choose another port, such as PORT=${port + 1} npm start`,
  );
  server.close();
  await once(server, "close");
  await requireFreePort({ host: "127.0.0.1", port });
  for (const host of ["192.0.2.1", "nobody.invalid"]) {
    await expect(requireFreePort({ host, port })).rejects.toThrow(
      `HOST=${host} is not an address of this machine`,
    );
  }
});

it("creates the data folder, and reports why a path cannot be one", async () => {
  await using temporary = await temporaryFolder();
  const dataDir = path.join(temporary.folder, "with spaces", "daten ä");
  await makeWritable(dataDir);
  await makeWritable(dataDir);
  expect(await readdir(dataDir)).toEqual([]);

  const file = path.join(temporary.folder, "file");
  await writeFile(file, "kept");
  await expect(makeWritable(file)).rejects.toThrow(
    `cannot write to the data folder ${file}: it is a file. Fix this`,
  );
  await expect(makeWritable(path.join(file, "below"))).rejects.toThrow("part of its path is a file");
  expect(await readFile(file, "utf8")).toBe("kept");
});
