// Sentences that contain every word of a question and answer a different one.
import { expect, it } from "vitest";
import { findPassages } from "../../testing/find-passages.ts";
import { runGoal } from "../../testing/run-goal.ts";

const search = findPassages({
  "boathouse.md": `# Boathouse rules

## Members
Full members have 20% taken off and get a free jacket after ten outings.
A junior membership costs 40 euros a year. It includes two lessons and takes 10 euros off every paddle.
A family can book six outings within twelve months.

## Hall
Guests leave a deposit of 80 euros, which is paid back if the boathouse is left clean.
Boats are free from 9:00, lockers from 10:00. A locker key costs 5 euros.
Moorings go up by two euros a night in spring.
A full inspection with varnish costs 90 euros.

## Meetings and orders
A written quotation is given before any hull repair. It holds for 60 days.
Old sails will go for 3 euros each, and Ines brings the benches.
The treasurer reports that we hold enough money for five months.
Two more lockers will be built. No dogs are allowed in the boathouse.
From a delay of two hours the race is called off. Every boat is visited within the first six weeks.
We pay for repairs of up to 70 euros a day until the trailer is back.
The berth fee is paid in cash.
An invoice that is still open after 30 days goes to the collector; visitors are shown round on other days.
Everybody who wants to use the winch has to attend the winch course first.
Damage is reported to the harbour master within one hour.
The gate code is changed every 3 months.
No more than four rowers are taken out per lesson. Two safety boats will be on the water.
We pay for the sail repair course if you promise to stay for six months.
We send no rowers to clubs with invoices more than 60 days overdue, unless the chair agrees.
Ines reported that deliveries have been late three times this year.
**When is payday?**
On the last Friday.
We received nine applications for the post of trainee coach.
Some coaches have been giving nine lessons a day.
Electric boats may be charged at the two posts beside the gate.
The board met at 8 pm in the clubroom. Then it went into closed session to discuss a personnel matter.
Ines suggested a row in February; everybody liked the idea, and she will bring a plan to the next meeting.
If you are worried about anything at all, ring the number on the green poster.
The season ends with a party on the last Friday. The scale is calibrated by an outside firm each March.
The best find was a bell with scratched letters, which is now in Leeds.
The crane repair was carried out by Frost Services. It was agreed that up to 900 euros be set aside for a new one.
Doris sold her first sail here in 1961. The new key code is on the back of your badge.
Anniversary cakes can be cancelled up to 21 days before the date; the deposit of 80 euros is not returned.
Ola Brandt is the treasurer. The summer regatta is on 4 July.
The slipway will be repaired from 2 to 6 May. The gate is closed that week.`,
});
const run = { "docs.search": search };

it.each([
  "What does a paddle cost?",
  "What does a jacket cost?",
  "What does the boathouse cost?",
  "What does a locker cost?",
  "What does a mooring cost?",
  "What does varnish cost?",
  "What does a trailer cost?",
  "What is the berth fee?",
  "How long is the delay?",
  "How long is a visit?",
  "How long does a hull repair take?",
  "How many outings can a family book in a month?",
  "How much money do we hold?",
  "How many lockers are there?",
  "How many dogs are allowed?",
  "Who cleans the boathouse?",
  "Who gives the quotation?",
  "Who brings the sails?",
  "When is the open day?",
  "Who gives the winch course?",
  "Who is the harbour master?",
  "What is the gate code?",
  "How many rowers are there?",
  "How many boats do we own?",
  "Number of invoices that were returned",
  "How far in advance must an anniversary cake be ordered?",
  "Price of an anniversary cake",
  "How long does the sail repair course take?",
  "Within how many days do clubs have to pay their invoices?",
  "How old is Ines?",
  "Who was offered the post of trainee coach?",
  "How many lessons a day may a coach give?",
  "Price of charging an electric boat",
  "When is the next meeting?",
  "How old is Doris?",
  "What is the new key code?",
  "How much did Frost Services charge for the crane repair?",
  "Where is the party at the end of the season?",
  "Which firm calibrates the scale?",
  "What do the letters on the bell say?",
  "What is the number on the green poster?",
  "What was the personnel matter in the closed session?",
])("%s: not answered", async (goal) => {
  const { answer } = await runGoal(goal, { run });
  expect(["no_match", "unsupported_intent"], answer.text).toContain(answer.status);
});

it("does not quote a question as the answer", async () => {
  const { answer } = await runGoal("When is payday?", { run });
  expect(answer.text).not.toContain("**When");
});

it.each([
  ["What does a junior membership cost?", "40 euros a year"],
  ["What does a locker key cost?", "5 euros"],
  ["How long does a quotation hold?", "It holds for 60 days."],
  ["How many outings can a family book?", "within twelve months"],
  ["Who brings the benches?", "Ines brings the benches"],
  ["Who is the treasurer?", "Ola Brandt is the treasurer."],
  ["When is the summer regatta?", "The summer regatta is on 4 July"],
  ["How many rowers are taken out per lesson at most?", "four rowers"],
  ["When is the gate closed?", "from 2 to 6 May. The gate is closed that week."],
])("%s: answered", async (goal, text) => {
  const { answer } = await runGoal(goal, { run });
  expect(answer.status, answer.text).toBe("success");
  expect(answer.text).toContain(text);
});
