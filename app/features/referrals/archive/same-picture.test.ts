import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { removeRadiograph } from "~/features/referrals/images/change-radiographs.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { findSamePicture, findWithheldAlike } from "~/features/referrals/store/archive-export-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { trustedReferral } from "~/access/scope.server";
import { uploadRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { plansOf } from "../../../../tests/support/query-plans";
import type { Db } from "~db/connection.server";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

let turn = 0;

forEachDatabase("a picture that another patient has already", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => {
    ({ portal, admin, dentist } = await portalWithPeople(dialect));
    portal.imageArchive = {
      label: "",
      mode: "live",
      deduplicates: true,
      send: async () => ({ outcome: "sent", detail: "" }),
    };
  });
  afterAll(() => portal.close());

  const work = async () => {
    const lane = { owner: "a", channel: "archive" as const };
    while ((await portal.as({ kind: "system", job: "test" }, sendMessage, lane)).data?.sent === true);
  };
  const draw = () => drawRadiograph({ type: 0, format: "jpg", seed: (turn += 1) + 7000 });
  const send = async (bytes: Buffer, patient: object = {}) => {
    const id = await aReferral(portal, dentist, { cpr6: "610193", cpr4: String(4100 + (turn += 1)), ...patient });
    await uploadRadiograph(portal, dentist, id, "48.jpg", { bytes, type: 0 });
    await work();
    return id;
  };
  const last = (id: number) =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "outcome", "detail", "reason"])
      .where("referralId", "=", id)
      .where("channel", "=", "archive")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
  const remove = async (id: number) => {
    const [file] = await findFiles(portal.db, trustedReferral(id));
    const { version } = await portal.as(admin, readReferral, { referralId: id });
    await portal.as(admin, removeRadiograph, { referralId: id, fileId: file!.id, seenVersion: version });
    await work();
  };

  test("is withheld, named, and sent once staff say that it is right", async () => {
    const bytes = await draw();
    const first = await send(bytes);
    const second = await send(bytes);
    expect((await last(first)).outcome).toBe("sent");
    expect(await last(second)).toMatchObject({
      outcome: "failed",
      reason: "samePicture",
      detail: `Tilbageholdt: samme billede hos nr. ${first}`,
    });
    const shown = async (who: Person) => (await portal.as(who, readReferral, { referralId: second })).withheldImages;
    expect(await shown(admin)).toEqual([
      {
        fileName: "48.jpg",
        count: 1,
        differences: [{ field: "samePicture", inFile: String(first), onReferral: null }],
      },
    ]);
    expect(await shown(dentist)).toEqual([]);
    await portal.as(admin, resendFailure, { messageId: (await last(second)).id, channel: "archive" });
    await work();
    expect([(await last(second)).outcome, await shown(admin)]).toEqual(["sent", []]);
  });

  test("is sent by itself once it is deleted at the other", async () => {
    const bytes = await draw();
    const first = await send(bytes);
    const second = await send(bytes);
    await remove(first);
    expect((await last(second)).outcome).toBe("sent");
  });

  test("is sent by itself once the other is closed and its files deleted", async () => {
    const bytes = await draw();
    const first = await send(bytes);
    const second = await send(bytes);
    const { statusVersion } = await portal.as(admin, readReferral, { referralId: first });
    const closing = { referralId: first, status: 7, seenVersion: statusVersion, isDeleteAttachments: "true" } as const;
    await portal.as(admin, setStatus, closing);
    await work();
    expect((await last(second)).outcome).toBe("sent");
  });

  test("stays withheld while a third patient has it too", async () => {
    const bytes = await draw();
    const first = await send(bytes);
    const second = await send(bytes);
    const third = await send(bytes);
    await remove(first);
    expect((await last(third)).detail).toBe(`Tilbageholdt: samme billede hos nr. ${second}`);
  });

  test("is not withheld for the patient's own other referral, nor for a test", async () => {
    const bytes = await draw();
    const patient = { cpr6: "610194", cpr4: "4002" };
    const first = await send(bytes, patient);
    const second = await send(bytes, patient);
    expect((await last(second)).outcome).toBe("sent");
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "in", [first, second]).execute();
    expect((await last(await send(bytes))).outcome).toBe("sent");
  });

  test("is a logo where more than three patients have it, and is sent", async () => {
    const bytes = await draw();
    for (let nth = 0; nth < 4; nth += 1) await send(bytes);
    expect((await last(await send(bytes))).outcome).toBe("sent");
  });

  test.runIf(dialect === "sqlite")("is found by its content's index, both ways", async () => {
    const referral = { id: 1, patientId: 1 };
    for (const find of [
      (db: Db) => findSamePicture(db, { sha256: "a" }, referral),
      (db: Db) => findWithheldAlike(db, ["a", "b"], referral),
    ]) {
      const [plan] = await plansOf(portal.db, find);
      expect(plan!.steps.join()).toContain("stored_file_by_content");
      expect(plan!.steps.join()).not.toMatch(/SCAN (stored|file|referral|export)/);
    }
  });
});
