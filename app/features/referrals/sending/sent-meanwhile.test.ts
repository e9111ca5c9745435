import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { removeRadiograph } from "~/features/referrals/images/change-radiographs.server";
import { aStagedFile } from "../../../../tests/factories/uploads";
import { awaitedSending } from "../../../../tests/support/portals/awaited-sending";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { whileRowChanges } from "../../../../tests/support/write-lock";
import { takeBackSending } from "./operations.server";

const DELETED = "deleted_at = '2026-12-01T09:00:00.000Z'";
const SENT = "status = 0, sent_at = '2026-12-01T09:00:00.000Z', version = version + 1";

forEachDatabase("a draft that another transaction changes while it is used", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let pictures: Buffer[];
  const { begin, come, stepThree, send, stateOf, logOf } = awaitedSending(dialect, (given) => {
    ({ portal, dentist, pictures } = given);
  });
  // SQLite has one writer: nothing changes between the statements of a transaction.
  const isConcurrent = dialect === "mariadb";

  async function draftWithImage(): Promise<{ referralId: number; fileId: number }> {
    const referralId = await stepThree();
    await come(await begin({ referralId }, pictures[0]!), pictures[0]!);
    const { id: fileId } = await portal.db
      .selectFrom("referralFile")
      .select("id")
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    return { referralId, fileId };
  }

  test.runIf(isConcurrent)("is not sent once it is deleted", async () => {
    const { referralId } = await draftWithImage();
    const sent = whileRowChanges(portal, { table: "referral", id: referralId, set: DELETED }, () => send(referralId));
    await expect(sent).rejects.toMatchObject({ name: "notInScope" });
    expect(await stateOf(referralId)).toMatchObject({ isSent: false });
  });

  test.runIf(isConcurrent)("keeps its images once it is sent", async () => {
    const { referralId, fileId } = await draftWithImage();
    const removed = whileRowChanges(portal, { table: "referral", id: referralId, set: SENT }, () =>
      portal.as(dentist, removeRadiograph, { referralId, fileId }),
    );
    await expect(removed).rejects.toMatchObject({ name: "notInScope" });
    expect(await stateOf(referralId)).toMatchObject({ isSent: true, images: 1 });
  });

  test.runIf(isConcurrent)("logs an image that is added once it is sent", async () => {
    const referralId = await stepThree();
    await aStagedFile(portal, dentist, "late", { fileName: "48.jpg", content: pictures[0]!, kind: "radiograph" });
    await whileRowChanges(portal, { table: "referral", id: referralId, set: SENT }, () =>
      portal.as(dentist, addRadiographs, { referralId, formKey: "late", radiographType: 0 }),
    );
    expect(await logOf(referralId)).toContain("Et røntgenbillede er tilføjet");
  });

  test.runIf(isConcurrent)("cannot be taken back once it is sent", async () => {
    const referralId = await stepThree();
    await begin({ referralId }, pictures[0]!);
    await send(referralId);
    const takenBack = whileRowChanges(portal, { table: "referral", id: referralId, set: SENT }, () =>
      portal.as(dentist, takeBackSending, { referralId }),
    );
    await expect(takenBack).rejects.toMatchObject({ name: "alreadySent" });
  });
});
