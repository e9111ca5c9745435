import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import type { FileKind } from "~/files/file-rules";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { writeMessage, readMessages } from "~/features/messages/operations.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export type People = Record<"dentist" | "secretary" | "otherDentist" | "otherSecretary" | "admin" | "surgeon", Person>;

/** What `begun` is handed before each test. */
interface Begun {
  portal: TestPortal;
  people: People;
  /** A referral of the test's own, sent by the dentist. */
  referralId: number;
}

/** A portal with people of two clinics and a new referral before each test of one file; what is answered here is about that referral. */
export function messagesPortal(dialect: Dialect, begun: (what: Begun) => void) {
  let portal: TestPortal;
  let people: People;
  let referralId: number;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: "https://klinik.eksempel.dk", PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk" },
    });
    const [clinic, other] = [await aClinic(portal), await aClinic(portal)];
    people = {
      dentist: await aPerson(portal, { role: "Dentist", clinicIds: [clinic] }),
      secretary: await aPerson(portal, { role: "Secretary", clinicIds: [clinic] }),
      otherDentist: await aPerson(portal, { role: "Dentist", clinicIds: [other] }),
      otherSecretary: await aPerson(portal, { role: "Dentist Secretary", clinicIds: [other] }),
      admin: await aPerson(portal, { role: "Admin" }),
      surgeon: await aPerson(portal, { role: "Surgeon" }),
    };
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("setting").execute();
    referralId = await aReferral(portal, people.dentist);
    begun({ portal, people, referralId });
  });

  const write = (person: Person, text: string, more: Record<string, unknown> = {}) =>
    portal.as(person, writeMessage, { referralId, formKey: `ny-${++count}`, text, ...more });
  const thread = async (person: Person) => portal.as(person, readMessages, { referralId });
  const texts = async (person: Person) => (await thread(person)).items.map((item) => item.text);
  const marks = async () =>
    portal.db
      .selectFrom("referral")
      .select(["hasUnansweredMessage", "surgeonHasUnreadMessages", "referrerHasUnreadMessages", "version"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();

  async function hold(person: Person, formKey: string, fileName: string, bytes: Buffer, kind: FileKind) {
    const file = path.join(portal.config.dataDir, `arriving-${++count}`);
    await writeFile(file, bytes);
    const result = await storeUpload(portal, file, fileName, kind, { requestedBy: "test" });
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(person, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: kind === "radiograph" ? "radiographs" : "attachments", kind }],
    });
  }

  return { write, thread, texts, marks, hold };
}

/** A file that may be attached to a message. */
export const csv = Buffer.from("dato;tekst\n1.1.2026;Ømhed\n");
