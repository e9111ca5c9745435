import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { deleteDraft } from "~/features/drafts/operations.server";
import { cancelUpload } from "~/features/referrals/images/upload-radiograph.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { awaitedSending } from "../../../../tests/support/portals/awaited-sending";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readAwaiting, takeBackSending } from "./operations.server";

forEachDatabase("a referral that is sent while its files are on their way", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let pictures: Buffer[];
  const { begin, arrive, finish, come, stepThree, send, job, stateOf } = awaitedSending(dialect, (given) => {
    ({ portal, dentist, pictures } = given);
  });

  test("can be withdrawn before it is sent, and not afterwards", async () => {
    const referralId = await stepThree();
    const uploadId = await begin({ referralId }, pictures[0]!);
    await send(referralId);
    await portal.as(dentist, takeBackSending, { referralId });
    await come(uploadId, pictures[0]!);
    portal.clock.advance({ days: 2 });
    await job();
    expect(await stateOf(referralId)).toMatchObject({ isSent: false, images: 1 });
    await send(referralId);
    expect(await stateOf(referralId)).toMatchObject({ isSent: true });
    await expect(portal.as(dentist, takeBackSending, { referralId })).rejects.toMatchObject({ name: "alreadySent" });
  });

  test("a draft that is deleted meanwhile is not sent", async () => {
    const referralId = await stepThree();
    const uploadId = await begin({ referralId }, pictures[0]!);
    await send(referralId);
    await portal.as(dentist, deleteDraft, { referralId });
    await arrive(uploadId, pictures[0]!);
    await expect(finish(uploadId)).rejects.toMatchObject({ name: "notInScope" });
    portal.clock.advance({ days: 2 });
    await job();
    expect(await stateOf(referralId)).toMatchObject({ isSent: false });
  });

  describe("removing a file under way", () => {
    test("completes it: it is sent", async () => {
      const referralId = await stepThree();
      const uploads = [await begin({ referralId }, pictures[0]!), await begin({ referralId }, pictures[1]!)];
      await send(referralId);
      await come(uploads[0]!, pictures[0]!);
      await portal.as(dentist, cancelUpload, { uploadId: uploads[1] });
      expect(await stateOf(referralId)).toEqual({ isSent: true, awaited: 0, images: 1 });
    });

    test("leaves no file: the sending is withdrawn", async () => {
      const referralId = await stepThree();
      const uploadId = await begin({ referralId }, pictures[0]!);
      await send(referralId);
      await portal.as(dentist, cancelUpload, { uploadId });
      portal.clock.advance({ days: 2 });
      await job();
      expect(await stateOf(referralId)).toMatchObject({ isSent: false });
    });
  });

  test("another person can neither withdraw a waiting sending nor see it", async () => {
    const referralId = await stepThree();
    await begin({ referralId }, pictures[0]!);
    await send(referralId);
    const other = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(portal.as(other, takeBackSending, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    expect(await portal.as(other, readAwaiting, {})).toEqual({ urgent: [], hasMore: false, drafts: [] });
  });
});
