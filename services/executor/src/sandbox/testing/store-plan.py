# 1) Parse intent and constraints from user_request.
import re
from datetime import datetime
from tinydb import Query, where

req = user_request.lower()
under = re.search(r"under\s*\$?(\d+(?:\.\d+)?)", req)
max_price = float(under.group(1)) if under else None
shape = next((word for word in ("round", "wraparound", "squared") if word in req), None)
wants_return = re.search(r"\breturn\b", req) is not None
wants_buy = re.search(r"\b(buy|purchase)\b", req) is not None
ACTION = "mutate" if wants_return or wants_buy else "read"
SHOULD_MUTATE = ACTION == "mutate"

Item = Query()
cart, unclear = [], []
for item in inventory_tbl.all():
    mention = re.search(rf"(?:(\d+)\s+(?:pairs?\s+of\s+)?)?{item['name'].lower()}", req)
    if mention and mention.group(1):
        cart.append((item, int(mention.group(1)), mention.start()))
    elif mention:
        unclear.append(item["name"])
cart.sort(key=lambda entry: entry[2])

# 2) Build the condition, and query the inventory.
if SHOULD_MUTATE and unclear:
    STATUS = "invalid_request"
    answer_text = f"I can help with that: how many pairs of {unclear[0]} is it about?"
elif SHOULD_MUTATE and cart:
    # 3) Validate the stock, update the inventory, insert one transaction per item.
    short = [(item, qty) for item, qty, _ in cart if wants_buy and item["quantity_in_stock"] < qty]
    if short:
        item, qty = short[0]
        STATUS = "insufficient_stock"
        answer_text = f"We only have {item['quantity_in_stock']} pairs of {item['name']} left; I can reserve those for you."
    else:
        balance = get_current_balance(transactions_tbl)
        sign = -1 if wants_return else 1
        total = 0.0
        for item, qty, _ in cart:
            line_total = sign * item["price"] * qty
            balance += line_total
            total += line_total
            inventory_tbl.update(
                {"quantity_in_stock": item["quantity_in_stock"] - sign * qty}, Item.item_id == item["item_id"]
            )
            transactions_tbl.insert(
                {
                    "transaction_id": next_transaction_id(transactions_tbl),
                    "customer_name": "Customer",
                    "transaction_summary": f"{'Return' if wants_return else 'Sale'} of {qty} x {item['name']}",
                    "transaction_amount": line_total,
                    "balance_after_transaction": balance,
                    "timestamp": datetime.now().isoformat(),
                }
            )
        STATUS = "success"
        what = " and ".join(f"{qty} {item['name']}" for item, qty, _ in cart)
        answer_text = f"Done: {what}, ${abs(total):.2f} {'paid back' if wants_return else 'in total'}."
elif shape is not None:
    cond = where("description").search(rf"\b{shape}\b", flags=re.IGNORECASE) & (Item.quantity_in_stock > 0)
    styled = inventory_tbl.search(cond)

    def cheaper(price, limit):
        return price < limit

    if max_price is not None:
        cond = cond & Item.price.test(cheaper, max_price)
    answer_rows = inventory_tbl.search(cond)
    if answer_rows:
        best = min(answer_rows, key=lambda row: row["price"])
        STATUS = "success"
        answer_text = f"Yes, we have our {best['name']} sunglasses, a {shape} frame, for ${best['price']:.0f}."
    else:
        nearest = min(styled, key=lambda row: row["price"])
        STATUS = "no_match"
        answer_text = (
            f"We don't have {shape} frames under ${max_price:.0f} in stock right now, "
            f"but our {nearest['name']} is available at ${nearest['price']:.0f}."
        )
else:
    STATUS = "unsupported_intent"
    answer_text = "I can help with our sunglasses: finding, buying and returning them."

# 4) Log.
print(f"LOG: ACTION={ACTION} DRY_RUN={not SHOULD_MUTATE} STATUS={STATUS}")
