import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import type { CommandResult } from "~/access/caller";
import { finishRadiographUpload } from "~/features/referrals/images/finish-upload.server";
import { sendAwaitedReferrals } from "~/features/referrals/sending/send-awaited.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { systemCaller } from "~/access/system-caller";
import { aClinic, aPerson } from "../../factories/people";
import { aDraftWithReferrer } from "../../factories/referrals";
import { anUpload } from "../../factories/uploads";
import { loggedEvents } from "../logged-events";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

interface Opened {
  portal: TestPortal;
  dentist: Person;
  pictures: Buffer[];
}

/** A portal with a dentist who sends while files are uploading; `opened` gets both. */
export function awaitedSending(dialect: Dialect, opened: (given: Opened) => void) {
  let portal: TestPortal;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const pictures = await Promise.all([31, 32, 33].map((seed) => drawRadiograph({ type: 0, format: "jpg", seed })));
    opened({ portal, dentist, pictures });
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.clock.set("2026-12-01T09:00:00.000Z"));

  const begin = (of: { referralId: number } | { ofForm: string }, bytes: Buffer, fileName?: string) =>
    anUpload(portal, dentist, bytes, { ...of, ...(fileName === undefined ? {} : { fileName }) });
  const arrive = (uploadId: string, bytes: Buffer) => storeParts(portal, uploadId, Readable.from([bytes]), 0);
  const finish = (uploadId: string) => portal.as(dentist, finishRadiographUpload, { uploadId });
  async function come(uploadId: string, bytes: Buffer): Promise<CommandResult> {
    await arrive(uploadId, bytes);
    return finish(uploadId);
  }

  const stepThree = (changes: Record<string, unknown> = {}) => aDraftWithReferrer(portal, dentist, changes);
  const send = (referralId: number, more: Record<string, unknown> = { waitForFiles: "on" }) =>
    portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0, ...more });
  const job = () => sendAwaitedReferrals(portal, systemCaller("job"));

  async function stateOf(referralId: number) {
    const { sentAt, ...row } = await portal.db
      .selectFrom("referral")
      .select(["sentAt", "awaitedFiles", "status"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    const images = await portal.db
      .selectFrom("referralFile")
      .select("radiographType")
      .where("referralId", "=", referralId)
      .where("deletedAt", "is", null)
      .execute();
    return { isSent: sentAt !== null, awaited: row.awaitedFiles, images: images.length };
  }
  const logOf = (referralId: number) => loggedEvents(portal.db, referralId);

  return { begin, arrive, finish, come, stepThree, send, job, stateOf, logOf };
}
