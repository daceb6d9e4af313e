/** The sunglasses store of the examples, in a folder of its own. */
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const EXAMPLE = "examples/sunglasses-store";

export type Store = AsyncDisposable & {
  /** The file of data sources that executors read. */
  readonly sources: string;
  /** Sells pairs of classic sunglasses until this many are left. */
  readonly sellClassicUntil: (quantity: number) => void;
};

/** Copies the store; disposing it deletes the copy. */
export async function copyStore(): Promise<Store> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-store-"));
  const sources = path.join(folder, "sources.json");
  const file = path.join(folder, "store.db");
  await copyFile(path.join(EXAMPLE, "sources.json"), sources);
  const seed = await readFile(path.join(EXAMPLE, "seed.sql"), "utf8");
  withDatabase(file, (database) => database.exec(seed));
  return {
    sources,
    sellClassicUntil: (quantity) =>
      withDatabase(file, (database) =>
        database.prepare("UPDATE inventory SET quantity_in_stock = ? WHERE name = 'Classic'").run(quantity),
      ),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function withDatabase(file: string, use: (database: DatabaseSync) => unknown): void {
  using database = new DatabaseSync(file);
  use(database);
}
