import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { letterPdf } from "~/demo/demo-documents.server";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { importEdi } from "~/features/edi/import-edi.server";
import type { RefuseCode } from "~/features/edi/reading/letter";
import { composeReceipt } from "~/features/edi/receipts/process-receipt.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeLetter } from "~/files/store-file.server";
import type { SendResult } from "~/gateways/sending/port";
import { systemCaller } from "~/access/system-caller";
import { setEdiAsEmail } from "~/features/discharge-letters/operations.server";
import { uploadLetter } from "~/features/discharge-letters/upload-letter.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { answeringGateway } from "../delivery/answering-gateway";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { dropEdi } from "../edi/drop";

export const OURS = "5790000000005";
export const THEIRS = "5790000121526";
const SENT: SendResult = { outcome: "sent", detail: "" };
export const REFUSED: SendResult = { outcome: "refused", detail: "550 Ukendt modtager", reason: "noMailbox" };
export const system = { kind: "system", job: "test" } as const;
const one = { letterNumber: 1 };

interface Begun {
  portal: TestPortal;
  /** Parent of the EDI folders. */
  root: string;
  admin: Person;
  dentist: Person;
  referralId: number;
  mails: { to: string; text: string }[];
}

interface Answer {
  code?: RefuseCode | null;
  from?: string;
  wholeEnvelope?: boolean;
}

/** A portal with an EDI folder of its own and a new referral before each test; the functions concern that referral. */
export function ediLettersPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let root: string;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: { to: string; text: string }[];
  let keys = 0;

  beforeAll(async () => {
    root = mkdtempSync(path.join(os.tmpdir(), "portal-edi-out-"));
    for (const name of ["in", "out"]) mkdirSync(path.join(root, "edi", name), { recursive: true });
    portal = await createTestPortal(dialect, { env: { EDI_DIR: path.join(root, "edi"), EDI_GLN: OURS } });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("deliveryEvent").execute();
    for (const name of readdirSync(out())) rmSync(path.join(out(), name));
    mails = [];
    await wantsEdi(THEIRS);
    referralId = await aReferral(portal, dentist);
    await replaceCpr("010170-1234");
    begun({ portal, root, admin, dentist, referralId, mails });
  });

  const turnTo = (id: number) => {
    referralId = id;
  };
  const out = () => path.join(root, "edi", "out");
  const wantsEdi = (ediId: string | null, on = true) =>
    portal.db
      .updateTable("user")
      .set({ sendEndingLettersViaEdi: on, ediDentistId: ediId })
      .where("id", "=", dentist.id)
      .execute();
  const upload = async (letterNumber = 1, pdf?: Buffer) => {
    const formKey = `edi-${++keys}`;
    const bytes =
      pdf ?? (await letterPdf(["Udskrivningsbrev", "Kære Åse. Tanden 48 er fjernet, uden komplikationer."]));
    const stored = await storeLetter(portal, { name: "brev.pdf", pdf: bytes });
    await portal.as(admin, stageUploads, { formKey, files: [{ ...stored, field: "letterPdf", kind: "letter" }] });
    await portal.as(admin, uploadLetter, { referralId, letterNumber, formKey });
    return bytes;
  };
  /** Changes only the EDI choice of an existing letter. */
  const alone = () => portal.as(admin, setEdiAsEmail, { referralId, ...one, sendEdiTerminationAsEmail: false });
  const sendEdi = async () => {
    while ((await portal.as(system, sendMessage, { owner: "a", channel: "edi" })).data?.sent);
  };
  const sendMail = (result: SendResult = SENT) => {
    const email = answeringGateway(result, (mail) => mails.push(mail as (typeof mails)[number]));
    return ({ ...portal, email } as TestPortal).as(system, sendMessage, { owner: "a", channel: "email" });
  };
  const letter = async () => (await portal.as(admin, readOpenReferral, { referralId })).letters.letters[0]!;
  const messages = () =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "channel", "outcome", "detail", "handledNote"])
      .where("kind", "=", "dischargeLetter")
      .where("referralId", "=", referralId)
      .orderBy("id")
      .execute();
  const files = () =>
    readdirSync(out())
      .toSorted()
      .map((name) => ({ name, text: readFileSync(path.join(out(), name), "latin1") }));
  const letterFiles = () => files().filter(({ name }) => !name.endsWith("-bin.xml"));
  const numberIn = (text: string) => /<Letter><Identifier>(\w+)</.exec(text)![1]!;
  const log = async () =>
    (await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", referralId).execute()).map(
      ({ event }) => event,
    );
  let receipts = 0;
  /** The receiver's system answers for a letter or a file of ours. */
  async function answers(number: string, { code = null, from = THEIRS, wholeEnvelope = false }: Answer = {}) {
    receipts += 1;
    const text = composeReceipt({
      // A refusal gives its reason in XML alone.
      syntax: code === null && receipts % 2 === 0 ? "edifact" : "xml",
      envelopeId: `TK${receipts}`,
      letterId: `TB${receipts}`,
      sentAt: portal.clock.now(),
      ourEan: from,
      theirEan: OURS,
      original: {
        envelopeId: number,
        letterId: wholeEnvelope ? null : number,
        version: wholeEnvelope ? null : "XD0133L",
        messageType: "MEDDIS",
      },
      refusal: code === null ? null : { code, text: "Søren Møller kender vi ikke" },
    });
    dropEdi(root, `kvittering${receipts}.xml`, text);
    await importEdi(portal, systemCaller("edi"));
  }
  const numbers = () => {
    const [bin, own] = [files().find(({ name }) => name.endsWith("-bin.xml"))!, letterFiles()[0]!];
    return { letter: numberIn(own.text), bin: numberIn(bin.text) };
  };

  async function replaceCpr(cpr: string) {
    await portal.db
      .updateTable("referral")
      .set(sealedCpr.seal(portal.secrets, cpr))
      .where("id", "=", referralId)
      .execute();
  }

  return {
    out,
    wantsEdi,
    upload,
    alone,
    sendEdi,
    sendMail,
    letter,
    messages,
    files,
    letterFiles,
    numberIn,
    log,
    answers,
    numbers,
    replaceCpr,
    turnTo,
  };
}
