// @module-tag matrix
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { beginRadiographUpload } from "~/features/referrals/images/upload-radiograph.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { systemCaller } from "~/access/system-caller";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft } from "../../../../tests/factories/referrals";
import { makeZip } from "../../../../tests/support/make-zip";
import { buildChild, runChild } from "../../../../tests/support/crash/run-child";
import { stepOf } from "../../../../tests/support/portals/killed-portal";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { sendAwaitedReferrals } from "./send-awaited.server";

const ENDS = ["sent 0, image 0, waits 1", "sent 1, image 1, waits 0"];

forEachDatabase("kill -9 while the last file of a referral that waits becomes an image", (dialect) => {
  const step = stepOf(dialect);
  let portal: TestPortal;
  let dentist: Person;
  let child: string;
  beforeAll(async () => {
    child = await buildChild();
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
  });

  test("leaves a waiting draft or a sent referral; the job sends the rest once", async () => {
    const picture = await drawRadiograph({ type: 0, format: "jpg", seed: 41 });
    expect(await killAndSend({ fileName: "48.jpg", bytes: picture, images: 1 })).toEqual(ENDS);
  });

  test("of a ZIP that waits all its images come with the referral, or none of them yet", async () => {
    const pictures = await Promise.all([42, 43].map((seed) => drawRadiograph({ type: 0, format: "jpg", seed })));
    const bytes = makeZip(pictures.map((picture, nth) => ({ name: `${nth}.jpg`, bytes: picture })));
    expect(await killAndSend({ fileName: "status.zip", bytes, images: 2 })).toEqual(ENDS);
  });

  async function killAndSend({ fileName, bytes, images }: { fileName: string; bytes: Buffer; images: number }) {
    const ends = new Set<string>();
    for (let dieBefore = 1; dieBefore < 80; dieBefore += step) {
      const referralId = await aDraft(portal, dentist);
      await portal.as(dentist, saveReferrer, { referralId });
      const { to } = await portal.as(dentist, beginRadiographUpload, {
        referralId,
        formKey: `crash-${fileName}-${dieBefore}`,
        radiographType: 0,
        fileName,
        sizeBytes: bytes.length,
      });
      const uploadId = to!.split("/").at(-1)!;
      await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0, waitForFiles: "on" });
      await storeParts(portal, uploadId, Readable.from([bytes]), 0);
      const ended = await runChild(
        child,
        portal.config,
        {
          now: portal.clock.now().toISOString(),
          dieBefore,
          steps: [{ does: "finishRadiographUpload", person: dentist, input: { uploadId } }],
        },
        {},
      );
      const stateOf = async () => ({
        ...(await portal.db
          .selectFrom("referral")
          .select((eb) => [eb("sentAt", "is not", null).as("isSent"), "hasRadiographs"])
          .where("id", "=", referralId)
          .executeTakeFirstOrThrow()),
        waits: (
          await portal.db
            .selectFrom("awaitedSending")
            .select("referralId")
            .where("referralId", "=", referralId)
            .execute()
        ).length,
      });
      const { isSent, hasRadiographs: hasImage, waits } = await stateOf();
      ends.add(`sent ${Number(isSent)}, image ${Number(hasImage)}, waits ${waits}`);
      await sendAwaitedReferrals(portal, systemCaller("job"));
      const events = await portal.db
        .selectFrom("visitLog")
        .select("event")
        .where("referralId", "=", referralId)
        .execute();
      expect(events).toEqual([{ event: "Henvisningen er modtaget" }]);
      const files = await portal.db
        .selectFrom("referralFile")
        .select("id")
        .where("referralId", "=", referralId)
        .execute();
      expect(files).toHaveLength(images);
      if (ended.signal !== "SIGKILL") break;
    }
    return [...ends].sort();
  }
});
