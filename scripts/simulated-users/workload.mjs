/** Simulated users during failures, and a ledger of everything the portal has acknowledged. */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { signInAs } from "./client.mjs";

const WIZARD = "/management/henvisning-tandlaeger";
const PASSWORD = "Demo1234";
const MEGABYTE = 1024 * 1024;

/**
 * @typedef {object} Ledger
 * @property {Map<number, { hash: string, fileId: number }>} referrals sent, each with its one image
 * @property {Map<number, number>} statuses the last one that was set
 * @property {Map<string, number>} messages the words of each, and of which referral
 * @property {string[]} surprises
 */

/** @returns {Ledger} */
export const newLedger = () => ({ referrals: new Map(), statuses: new Map(), messages: new Map(), surprises: [] });

/** Sends referrals with an image in pieces, with pauses, until `isOver`. */
export async function dentist(origin, userName, nth, ledger, isOver, pauseMs = 0) {
  const person = await signInAs(origin, userName, PASSWORD);
  for (let n = 0; !isOver(); n += 1) {
    await pause(pauseMs);
    const cpr4 = String(1000 + nth * 2000 + n);
    const address = `${WIZARD}?form=${randomUUID()}`;
    const saved = await person.post(address, { intent: "savePatient", formKey: randomUUID(), ...patient(cpr4) });
    const id = Number(new URLSearchParams(saved.location.split("?")[1]).get("kladde"));
    if (saved.status !== 303 || !id) return void ledger.surprises.push(`savePatient: ${saved.status}`);
    const step = (number) => `${WIZARD}?kladde=${id}&trin=${number}`;
    await person.post(step(2), { intent: "saveReferrer" });
    const image = picture(nth * 100_000 + n);
    const fileId = await person.upload(step(3), { referralId: id, fileName: `${cpr4}.bmp`, bytes: image }, 4);
    const sent = await person.post(step(3), {
      intent: "sendReferral",
      formKey: randomUUID(),
      radiographsSendType: 0,
      fileId,
      radiographType: 2,
    });
    if (sent.status !== 303)
      return void ledger.surprises.push(`sendReferral: ${sent.status} ${sent.text.slice(0, 200)}`);
    ledger.referrals.set(id, { hash: createHash("sha256").update(image).digest("hex"), fileId });
  }
  return person;
}

/** Sets statuses and writes messages, one member of staff per referral, until `isOver`. */
export async function staff(origin, userName, whose, ledger, isOver) {
  const person = await signInAs(origin, userName, PASSWORD);
  for (let n = 0; !isOver(); n += 1) {
    const ids = [...ledger.referrals.keys()].filter((id) => id % 2 === whose);
    const id = ids[(n * 7) % ids.length];
    if (id === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    const status = [2, 3, 8, 12, 15][n % 5] ?? 2;
    const set = await person.post(`/management/overview/${id}`, { intent: "setStatus", status });
    if (set.status === 303 || set.status === 302) ledger.statuses.set(id, status);
    // The first press was carried out but its answer lost: the second meets its own change.
    else if (set.status === 409) ledger.statuses.delete(id);
    else ledger.surprises.push(`setStatus: ${set.status}`);
    const text = `Besked ${randomUUID()}`;
    const written = await person.post(`/management/overview/${id}`, {
      intent: "writeMessage",
      formKey: randomUUID(),
      text,
    });
    if (written.status === 303 || written.status === 302) ledger.messages.set(text, id);
    else ledger.surprises.push(`writeMessage: ${written.status} ${written.text.slice(0, 200)}`);
  }
  return person;
}

const patient = (cpr4) => ({
  cpr6: "690177",
  cpr4,
  firstName: "Åse",
  lastName: "Ærø",
  address: "Kaj 7",
  zip: "5970",
  city: "Ærøskøbing",
  desiredTreatment: "Vurdering af 48.",
});

/** A bitmap of two megabytes, different at each call. */
function picture(number) {
  const [width, height] = [1024, Math.round((2 * MEGABYTE) / 3072)];
  const bytes = Buffer.alloc(54 + width * height * 3);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE(number, 60);
  return bytes;
}
