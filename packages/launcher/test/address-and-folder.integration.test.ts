// What a start needs of the machine before anything runs: an address and a folder, or a sentence that says why not.
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { makeWritable } from "../src/supervisor/make-writable.ts";
import { requireFreePort } from "../src/supervisor/ports.ts";

async function temporaryFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-folder-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

it("takes an address that is free, and says which program or name is in the way of another", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // What a server with a port has.
  await expect(requireFreePort({ host: "127.0.0.1", port })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another, such as PORT=${port + 1} npm start`,
  );
  server.close();
  await once(server, "close");
  await requireFreePort({ host: "127.0.0.1", port });
  for (const host of ["192.0.2.1", "nobody.invalid"]) {
    await expect(requireFreePort({ host, port })).rejects.toThrow(
      `HOST=${host} is no address of this machine`,
    );
  }
});

it("makes a data folder, and says why nothing can be kept in one that is none", async () => {
  await using temporary = await temporaryFolder();
  const dataDir = path.join(temporary.folder, "with spaces", "daten ä");
  await makeWritable(dataDir);
  await makeWritable(dataDir);
  expect(await readdir(dataDir)).toEqual([]);

  const file = path.join(temporary.folder, "file");
  await writeFile(file, "kept");
  await expect(makeWritable(file)).rejects.toThrow(`nothing can be kept in ${file}: it is a file. Make room`);
  await expect(makeWritable(path.join(file, "below"))).rejects.toThrow("a part of its path is a file");
  expect(await readFile(file, "utf8")).toBe("kept");
});
