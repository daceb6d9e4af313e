// Questions about documents in different words: exactly the sentence that answers is quoted.
import { expect, it } from "vitest";
import { findPassages } from "../../testing/find-passages.ts";
import { runGoal } from "../../testing/run-goal.ts";

const search = findPassages({
  "library.md": `# Alderbrook Town Library – rules for readers

## Library card
A library card costs 12 euros a year for adults. Children under 16 get their card free of charge.
Pensioners pay 8 euros. The card is personal and may not be lent to others.
Anyone who loses the card has to report it at the desk within three days; a new card costs 5 euros.

## Borrowing
Readers may borrow up to ten books at once. Books are lent for four weeks, films and games for one week.
Reference works and newspapers are not lent.

## Reading room
Laptops may be used in the reading room, telephones may not. Drinks in closed bottles are allowed, food is not.
The study rooms on the second floor must be booked at least one day ahead.

## Opening hours
The library opens at 10:00 and closes at 18:30 from Tuesday to Friday. On Saturdays it closes at 14:00.`,
  "camping.md": `# Camping Silver Lake – information for guests

## Arrival and departure
You can arrive between 14:00 and 20:00. Please leave your pitch by 11:00 on the day of departure.

## Payment and cancelling
A deposit of 30 percent is due when you book. If you cancel more than 14 days before arrival, we return the deposit.

## Boats
Kayaks are hired out for 9 euros an hour or 35 euros a day. Motor boats are not allowed on the lake.

## Washing
The showers are free. The washing machine takes tokens, which are sold at reception for 4 euros.`,
  "gym.md": `# Terms of Ironbridge Gym

## Monthly fee
The monthly fee is £32. Students and nurses pay £24.

## Guests
Members may bring one guest a month. The guest pays £6 for a day pass and must show photo ID.

## Classes
Anyone who misses three classes without cancelling is blocked for two weeks.

## Parcels
The member pays for the parcel, unless the locker was broken.
Lost keys must be reported within seven days.`,
});
const run = { "docs.search": search };

const related = findPassages({
  "house.md": `# Visiting the Old Mill

## Hours
Visitors are welcome every day from 14:00 to 19:30. On Sundays visiting starts at 11:00.

## Keys
A lost key costs 35 euros, as the lock has to be changed.

## Cards
The card is personal and may not be lent to others.

## Deposits
If you cancel more than 14 days before arrival, we return the deposit. After that it is kept.

## Till
Count the float in the till together with a colleague. It should be 120 euros.

## Expenses
The manager decides on expenses up to 500 euros. Above that sum the board decides.

## Hives
From April to July every hive is inspected every seven days. In August every two weeks is enough.

## Cars
All our cars have a dashcam, and recordings are kept for 28 days.

## Farm
Every member works at least three days a year. Boxes are packed on Thursdays and can be collected from 15:00 to 19:00.
Eggs are sold at the gate for 30 cents each. Cleaning of rooms costs 85 euros; children under 16 pay 40 euros.
Kayaks must be returned by 18:00.

## Rooms
The manager, not the desk, decides about moving to other rooms.`,
});

it.each([
  ["Until what time is the library open on Saturdays?", "On Saturdays it closes at 14:00."],
  ["How far in advance do I have to book a study room?", "at least one day ahead"],
  ["Up to what age do children get a free card?", "Children under 16"],
  ["Is food allowed in the reading room?", "food is not"],
  ["Until what time can guests arrive?", "between 14:00 and 20:00"],
  ["Do I get my deposit back if I cancel?", "we return the deposit"],
  ["How much is a kayak for a whole day?", "35 euros a day"],
  ["What do the showers cost?", "The showers are free."],
  ["How much do nurses pay per month?", "Students and nurses pay £24."],
  ["How many guests may a member bring each month?", "one guest a month"],
  ["What does a day pass for a guest cost?", "£6"],
  ["Within how many days do I have to report a lost key?", "within seven days"],
])("%s", async (goal, text) => {
  const { answer } = await runGoal(goal, { run });
  expect(answer.status, answer.text).toBe("success");
  expect(answer.text).toContain(text);
});

it.each([
  // A different measure of the same thing.
  "How long are study rooms booked for?",
  "How long are showers free for?",
  "How many classes are there each week?",
  // The other end of the time.
  "From what time must I leave my pitch on the day of departure?",
  // The exception.
  "Who pays for the parcel if the locker was broken?",
  // A word that occurs nowhere.
  "Can I borrow a laptop?",
  "May dogs come into the library?",
  "What does a card cost for students?",
  "How much is the deposit for a kayak?",
  "What does an hour in the sauna cost?",
  "How much do students pay to join?",
  "How much does a bicycle cost for a day?",
  "Can I eat in the study rooms?",
  "Do nurses need photo ID?",
  "When does the library open on Sundays?",
  "Can I pay the deposit by card?",
  "Where can I borrow a kayak for free?",
  "Who sells the tokens for the showers?",
])("%s: no passage is quoted as its answer", async (goal) => {
  const { answer } = await runGoal(goal, { run });
  expect(["no_match", "unsupported_intent"], answer.text).toContain(answer.status);
});

it.each([
  ["Do I get my deposit back if I cancel?", "After that it is kept."],
  ["Can I lend my card to a friend?", "may not be lent to others"],
  ["How much should be in the float of the till?", "It should be 120 euros."],
  ["Who decides on expenses of more than 500 euros?", "Above that sum the board decides."],
  ["From what time may visitors come on a Sunday?", "On Sundays visiting starts at 11:00."],
  ["How often are the hives inspected in August?", "In August every two weeks is enough"],
  ["For how long are the dashcam recordings kept?", "recordings are kept for 28 days"],
  ["Who decides whether a guest is moved to another room?", "The manager, not the desk, decides"],
])("%s: quoted with the sentence that it belongs to", async (goal, text) => {
  const { answer } = await runGoal(goal, { run: { "docs.search": related } });
  expect(answer.status, answer.text).toBe("success");
  expect(answer.text).toContain(text);
});

it.each([
  ["Who decides on expenses of less than 500 euros?", "Above that sum"],
  ["How often are the hives inspected in winter?", "every two weeks"],
  ["Where may visitors leave a coat on a Sunday?", "11:00"],
  ["Can I lend my key to the porter?", "may not be lent"],
  ["Who packs the boxes?", "on Thursdays"],
  ["Who has a key to the mill?", "A lost key costs"],
  ["Who does the cleaning of the rooms?", "85 euros"],
  ["When are eggs sold at the gate?", "30 cents"],
  ["How often are eggs sold at the gate?", "30 cents"],
  ["How long is a work day?", "three days"],
  ["How much is a kayak?", "18:00"],
])("%s: not answered by the other half of a rule", async (goal) => {
  const { answer } = await runGoal(goal, { run: { "docs.search": related } });
  expect(["no_match", "unsupported_intent"], answer.text).toContain(answer.status);
});

it("shows the closest sentence if none answers, states that it is not an answer, and names what is missing", async () => {
  const { answer } = await runGoal("What does a library card cost for students?", { run });
  expect(answer.status).toBe("no_match");
  expect(answer.text).toContain("“students”");
  expect(answer.text).toMatch(/cannot tell whether .* the question: .*A library card costs 12 euros/);
  const { answer: other } = await runGoal("What does an hour in the sauna cost?", { run });
  expect(other.text).not.toContain("Kayaks");
});
