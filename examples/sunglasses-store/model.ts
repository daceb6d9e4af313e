/** One program, written for every request of a customer: what it does follows from the request and from the rows alone. */
import type { ModelScript } from "@planwright/testkit";

export const PROGRAM = String.raw`// 1) Parse what the request says: prices, shapes, items with their quantities, and what is to be done.
const request = user_request.toLowerCase();
const under = /\bunder \$?(\d+(?:\.\d+)?)/.exec(request);
const limit = under === null ? Infinity : Number(under[1]);
const shape = ["round", "wraparound", "squared", "square", "cat-eye"].find((word) => request.includes(word));
const returns = /\breturn\b/.test(request);
const buys = /\b(buy|purchase|order)\b/.test(request);
const cart = [];
let unclear;
for (const item of tables.inventory.all()) {
  const named = new RegExp("(?:(\\d+)\\s+(?:pairs?\\s+of\\s+)?)?\\b" + item.name.toLowerCase() + "\\b").exec(request);
  if (named !== null && named[1] === undefined) unclear = item.name;
  if (named !== null && named[1] !== undefined) cart.push({ item, quantity: Number(named[1]), at: named.index });
}
cart.sort((left, right) => left.at - right.at);
ACTION = "read";

// 2) Look, and change nothing before everything is known.
const missing = buys ? cart.find(({ item, quantity }) => item.quantity_in_stock < quantity) : undefined;
const dollars = (amount) => "$" + Math.abs(amount);
if ((buys || returns) && unclear !== undefined) {
  STATUS = "invalid_request";
  answer_text = "I can help with that: how many pairs of " + unclear + " is it about?";
} else if (missing !== undefined) {
  STATUS = "insufficient_stock";
  answer_text = "We only have " + missing.item.quantity_in_stock + " pairs of " + missing.item.name + " left; I can reserve those.";
} else if ((buys || returns) && cart.length > 0) {
  // 3) One row in the ledger for each item, one after the other, and the stock.
  ACTION = "mutate";
  let balance = tables.transactions.all().at(-1).balance_after_transaction;
  let total = 0;
  for (const { item, quantity } of cart) {
    const amount = (returns ? -1 : 1) * item.price * quantity;
    balance += amount;
    total += amount;
    tables.inventory.update(
      (row) => ({ quantity_in_stock: row.quantity_in_stock + (returns ? quantity : -quantity) }),
      { item_id: item.item_id },
    );
    tables.transactions.insert({
      transaction_id: "TXN" + String(tables.transactions.count() + 1).padStart(3, "0"),
      customer_name: "Customer",
      transaction_summary: (returns ? "Return of " : "Sale of ") + quantity + " x " + item.name,
      transaction_amount: amount,
      balance_after_transaction: balance,
      timestamp: new Date().toISOString(),
    });
  }
  STATUS = "success";
  const what = cart.map(({ item, quantity }) => quantity + " " + item.name).join(" and ");
  answer_text = "Done: " + what + ", " + dollars(total) + (returns ? " paid back." : " in total.");
} else if (shape !== undefined) {
  // 4) What fits; else what is nearest in price.
  const word = new RegExp("\\b" + shape + "\\b", "i");
  const styled = tables.inventory.search((row) => word.test(row.description) && row.quantity_in_stock > 0);
  const nearest = styled.toSorted((left, right) => left.price - right.price)[0];
  answer_rows = styled.filter((row) => row.price < limit);
  const [best] = answer_rows;
  STATUS = best === undefined ? "no_match" : "success";
  if (best !== undefined) answer_text = "Yes, we have our " + best.name + " sunglasses, a " + shape + " frame, for " + dollars(best.price) + ".";
  else if (nearest === undefined) answer_text = "We have no " + shape + " frames; what other shape do you like?";
  else answer_text = "We have no " + shape + " frames under $" + limit + " right now, but our " + nearest.name + " is available at " + dollars(nearest.price) + ".";
} else {
  STATUS = "unsupported_intent";
  answer_text = "I can help with our sunglasses: finding, buying and returning them.";
}
console.log("LOG: ACTION=" + ACTION + " STATUS=" + STATUS);`;

export const script: ModelScript = {
  write: ["<execute_javascript>\n" + PROGRAM + "\n</execute_javascript>"],
};
