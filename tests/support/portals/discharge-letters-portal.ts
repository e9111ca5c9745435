import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import { sendMessage } from "~/features/delivery/send-message.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeLetter } from "~/files/store-file.server";
import type { SendResult } from "~/gateways/sending/port";
import { uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { answeringGateway } from "../delivery/answering-gateway";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}
const SENT: SendResult = { outcome: "sent", detail: "" };
export const REFUSED: SendResult = { outcome: "refused", detail: "550 Ukendt modtager", reason: "noMailbox" };

interface Begun {
  portal: TestPortal;
  admin: Person;
  dentist: Person;
  referralId: number;
  mails: Mail[];
}

/** A portal with a new referral and an empty outbox before each test; the functions concern that referral. */
export function dischargeLettersPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: Mail[];
  let keys = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: { PUBLIC_ORIGIN: "https://www.eksempel.dk" } });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    mails = [];
    referralId = await aReferral(portal, dentist);
    begun({ portal, admin, dentist, referralId, mails });
  });

  const nextReferral = async () => (referralId = await aReferral(portal, dentist));
  /** Stages a checked file for a form. */
  async function staged(
    field: "letterPdf" | "letterImages",
    name: string,
    changes: object = {},
    formKey = `letters-${++keys}`,
  ): Promise<string> {
    const stored = await storeLetter(portal, { name, pdf: Buffer.from(`%PDF-1.7 ${name}`) });
    const kind = field === "letterPdf" ? "letter" : "radiograph";
    await portal.as(admin, stageUploads, { formKey, files: [{ ...stored, field, kind, ...changes }] });
    return formKey;
  }
  const upload = async (letterNumber = 1, name = `brev_${letterNumber}.pdf`) =>
    portal.as(admin, uploadLetter, { referralId, letterNumber, formKey: await staged("letterPdf", name) });
  const addImage = async (letterNumber = 1, name = "48.jpg", changes: object = {}) =>
    portal.as(admin, uploadLetterImages, {
      referralId,
      letterNumber,
      formKey: await staged("letterImages", name, changes),
    });
  const letters = async (as: Person = admin) => (await portal.as(as, readOpenReferral, { referralId })).letters.letters;
  const letter = async (number = 1) => (await letters()).find((each) => each.number === number)!;
  const referral = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const outbox = () =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "outcome", "detail", "handledNote", "handledAt", "notBefore", "resendsId"])
      .where("kind", "=", "dischargeLetter")
      .orderBy("id")
      .execute();
  const work = (result: SendResult = SENT) => {
    const email = answeringGateway(result, (mail) => mails.push(mail as Mail));
    return ({ ...portal, email } as TestPortal).as({ kind: "system", job: "test" }, sendMessage, {
      owner: "a",
      channel: "email",
    });
  };

  return { staged, upload, addImage, letters, letter, referral, nextReferral, outbox, work };
}
