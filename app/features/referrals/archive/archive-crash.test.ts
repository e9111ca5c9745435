// @module-tag matrix
// @module-tag orthanc
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendMessage } from "~/features/delivery/send-message.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { buildChild, runChild } from "../../../../tests/support/crash/run-child";
import { type Orthanc, startOrthanc } from "../../../../tests/support/peers/orthanc";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

/** Killing before every statement takes minutes; before some of them, half a minute. */
const LONG = process.env.FUZZ_RUNS ? 1_800_000 : 120_000;

let orthanc: Orthanc;
let child: string;
beforeAll(async () => {
  orthanc = await startOrthanc();
  child = await buildChild();
});
afterAll(async () => {
  await orthanc.stop();
});

forEachDatabase("the sending of an image to the archive is killed", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: orthanc.env });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const aPlannedImage = async () => {
    const referralId = await aReferral(portal, dentist);
    await aRadiograph(portal, dentist, referralId, "tand.jpg");
    return referralId;
  };
  const runUntil = (dieBefore: number | null, dieAfterSending = false) =>
    runChild(
      child,
      portal.config,
      {
        now: portal.clock.now().toISOString(),
        dieBefore,
        dieAfterSending,
        steps: [{ does: "sendMessages", times: 1, channel: "archive" }],
      },
      orthanc.env,
    );

  /** Another process's lane: after the lease expired and the retry is due. */
  async function comesRound() {
    for (const minutes of [2, 10, 30]) {
      portal.clock.advance({ minutes });
      const lane = { owner: "fresh", channel: "archive" as const };
      while ((await portal.as({ kind: "system", job: "test" }, sendMessage, lane)).data?.sent === true);
    }
  }

  async function expectArchivedOnce(referralId: number) {
    expect(
      await portal.db
        .selectFrom("referral")
        .select("radiographExportStatus")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow(),
    ).toEqual({ radiographExportStatus: 3 });
    const messages = await portal.db
      .selectFrom("outbox")
      .select(["outcome", "channel"])
      .where("referralId", "=", referralId)
      .where("channel", "=", "archive")
      .execute();
    expect(messages).toEqual([{ outcome: "sent", channel: "archive" }]);
    const stored = (await orthanc.instances()).filter(
      ({ AccessionNumber, PatientName }) => AccessionNumber === String(referralId) && PatientName !== undefined,
    );
    expect(new Set(stored.map(({ SOPInstanceUID }) => SOPInstanceUID)).size).toBe(stored.length);
    expect(stored.length).toBeGreaterThanOrEqual(1);
  }

  test(
    "killed at any statement or once the archive has it: the image is there, once",
    async () => {
      await aPlannedImage();
      const { statements, errors } = await runUntil(null);
      expect(errors).toBe("");
      const last = statements ?? 0;
      expect(last).toBeGreaterThan(10);
      // Some of them, spread over all; `npm run soak -- --fuzz 10000` asks for every one.
      const every = process.env.FUZZ_RUNS ? 1 : Math.ceil(last / (dialect === "sqlite" ? 3 : 1));
      for (let dieBefore = Math.ceil(every / 2); dieBefore <= last; dieBefore += every) {
        const referralId = await aPlannedImage();
        expect(await runUntil(dieBefore)).toMatchObject({ signal: "SIGKILL" });
        await comesRound();
        await expectArchivedOnce(referralId);
      }
      const referralId = await aPlannedImage();
      expect(await runUntil(null, true)).toMatchObject({ signal: "SIGKILL" });
      await comesRound();
      await expectArchivedOnce(referralId);
    },
    LONG,
  );
});
