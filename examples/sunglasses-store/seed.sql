-- The demo store: what it sells, and its till. `planwright seed` makes the database from this file.
-- Every table has a primary key, so that a change of a row can be told from a new row.

CREATE TABLE inventory (
  item_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  quantity_in_stock INTEGER NOT NULL CHECK (quantity_in_stock >= 0),
  price REAL NOT NULL CHECK (price >= 0)
) STRICT;

CREATE TABLE transactions (
  transaction_id TEXT PRIMARY KEY,
  customer_name TEXT NOT NULL,
  transaction_summary TEXT NOT NULL,
  transaction_amount REAL NOT NULL,
  balance_after_transaction REAL NOT NULL,
  timestamp TEXT NOT NULL
) STRICT;

INSERT INTO inventory (item_id, name, description, quantity_in_stock, price) VALUES
  ('SG001', 'Aviator', 'Teardrop lenses in a thin metal frame, first made for pilots; light, with wide coverage.', 23, 80),
  ('SG002', 'Wayfarer', 'A thick, squared frame of acetate that suits almost every face.', 15, 95),
  ('SG003', 'Mystique', 'A cat-eye shape with upswept corners and a touch of retro glamour.', 9, 70),
  ('SG004', 'Sport', 'A wraparound frame with impact-resistant lenses, made for running and cycling.', 11, 110),
  ('SG005', 'Classic', 'Classic round profile with minimalist metal frames, offering a timeless and versatile style that fits both casual and formal wear.', 10, 60),
  ('SG006', 'Moon', 'Oversized round frames with bold plastic rims, inspired by the seventies.', 8, 120);

INSERT INTO transactions VALUES
  ('TXN001', 'OPENING_BALANCE', 'Opening balance of the till', 500, 500, '2025-10-03T09:16:59.628898');
