/** A copy of the sunglasses store of the examples. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadExample, seedExample } from "@planwright/testkit";

export type Store = AsyncDisposable & {
  /** The file of data sources that executors read. */
  readonly sources: string;
  /** Pairs of classic sunglasses in stock. */
  readonly classicInStock: () => number;
  /** Sells pairs of classic sunglasses until this many are left. */
  readonly sellClassicUntil: (quantity: number) => void;
};

/** Copies the store; disposing it deletes the copy. */
export async function copyStore(): Promise<Store> {
  await using cleanup = new AsyncDisposableStack();
  const { seedFile } = await loadExample("sunglasses-store");
  if (seedFile === undefined) throw new Error("the example sunglasses-store has no seed.sql");
  const sources = await seedExample(seedFile, cleanup);
  const file = path.join(path.dirname(sources), "store.db");
  const owned = cleanup.move();
  return {
    sources,
    classicInStock() {
      using database = new DatabaseSync(file);
      const row = database
        .prepare("SELECT quantity_in_stock AS n FROM inventory WHERE name = 'Classic'")
        .get();
      return Number(row?.["n"]);
    },
    sellClassicUntil(quantity) {
      using database = new DatabaseSync(file);
      database.prepare("UPDATE inventory SET quantity_in_stock = ? WHERE name = 'Classic'").run(quantity);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
