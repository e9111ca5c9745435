/** Invariants after the run. Each check returns a description of the fault, or nothing. */
import { createHash } from "node:crypto";
import { signInAs } from "../simulated-users/client.mjs";

/**
 * @param {import("../simulated-users/workload.mjs").Ledger} ledger
 * @param {(statement: string) => Promise<any[]>} ask of the database
 * @param {string} origin
 * @param {Map<string, number>} deliveries how often each mail's Message-ID came
 */
export async function checkAll(ledger, ask, origin, deliveries) {
  return {
    "every referral that was sent is there, once, with its image": await referrals(ledger, ask, origin),
    "every status that was set stands": await statuses(ledger, ask),
    "every message that was written stands, once": await messages(ledger, origin),
    "nobody got a mail twice, and what counts as sent has arrived": await mails(ask, deliveries),
    "nothing surprising was answered": ledger.surprises,
  };
}

async function referrals({ referrals: sent }, ask, origin) {
  const rows = await ask("select id, cpr6, status from referral where sent_at is not null and cpr6 = '690177'");
  const there = new Set(rows.map(({ id }) => id));
  const wrong = [...sent.keys()].filter((id) => !there.has(id)).map((id) => `referral ${id} is gone`);
  const doubles = await ask(
    "select cpr_hash, count(*) as n from referral where sent_at is not null and cpr6 = '690177' group by cpr_hash having n > 1",
  );
  wrong.push(...doubles.map(({ n }) => `a patient has ${n} referrals`));
  const person = await signInAs(origin, "admin", "Demo1234");
  for (const [id, { hash, fileId }] of sent) {
    const files = await ask(`select id from referral_file where referral_id = ${id} and deleted_at is null`);
    if (files.length !== 1) wrong.push(`referral ${id} has ${files.length} images`);
    const file = await person.get(`/management/overview/${id}/files/${fileId}`);
    if (createHash("sha256").update(file.bytes).digest("hex") !== hash)
      wrong.push(`the image of referral ${id} is another (${file.status}, ${file.bytes.length} bytes)`);
  }
  return wrong;
}

async function statuses({ statuses: set }, ask) {
  const rows = new Map(
    (await ask("select id, status from referral where cpr6 = '690177'")).map((row) => [row.id, row.status]),
  );
  return [...set]
    .filter(([id, status]) => rows.get(id) !== status)
    .map(([id, status]) => `referral ${id} is ${rows.get(id)}, not ${status}`);
}

async function messages({ messages: written }, origin) {
  const person = await signInAs(origin, "admin", "Demo1234");
  const wrong = [];
  const byReferral = grouped(written);
  for (const [id, texts] of byReferral) {
    const { text } = await person.get(`/api/Visits/${id}/messages`);
    for (const [words] of texts) {
      const times = text.split(words).length - 1;
      if (times !== 1) wrong.push(`'${words}' stands ${times} times at referral ${id}`);
    }
  }
  return wrong;
}

function grouped(written) {
  const groups = new Map();
  for (const entry of written) groups.set(entry[1], [...(groups.get(entry[1]) ?? []), entry]);
  return groups;
}

async function mails(ask, deliveries) {
  const rows = await ask("select id, outcome from outbox where channel = 'email'");
  const wrong = [];
  for (const [key, times] of deliveries) if (times > 1) wrong.push(`mail ${key} came ${times} times`);
  for (const { id, outcome } of rows)
    if (outcome === "sent" && !deliveries.has(`outbox-${id}`)) wrong.push(`mail ${id} counts as sent and never came`);
  const waiting = rows.filter(({ outcome }) => outcome === "queued").length;
  if (waiting > 0) wrong.push(`${waiting} mails still wait`);
  return wrong;
}
