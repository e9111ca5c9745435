import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { setStatus } from "~/features/referrals/status/set-status.server";
import type { SendResult } from "~/gateways/sending/port";
import { createRandom } from "~/demo/content/seeded-random.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { countStatistics, storedStatistics } from "../../../../tests/support/count-statistics";
import { randomChanges } from "../../../../tests/support/random-changes";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { beginRecount, countReferrals } from "./rebuild-sums.server";

const SYSTEM = { kind: "system", job: "test" } as const;
const OPERATIONS = 1000;

forEachDatabase("sums of statistics", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentists: Person[];
  let clinics: number[];
  let steps: (() => Promise<unknown>)[];
  const random = createRandom(20_261_122);
  const { integer, chance } = random;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    clinics = [await aClinic(portal), await aClinic(portal)];
    dentists = await Promise.all(
      [0, 0, 1].map((clinic) => aPerson(portal, { role: "Dentist", clinicIds: [clinics[clinic]!] })),
    );
    const names = ["Visdomstand", "Implantat", "Forundersøgelse"];
    await portal.db
      .insertInto("treatmentType")
      .values(
        names.map((name) => ({
          name,
          nameSort: name,
          externalAppointmentIds: "",
          patientRecommendationLink: null,
          deletedAt: null,
        })),
      )
      .execute();
    const types = (await portal.db.selectFrom("treatmentType").select("id").where("id", ">", 0).execute()).map(
      (r) => r.id,
    );
    steps = [
      ...randomChanges({ portal, admin, dentists, clinics, types, random }),
      async () => portal.clock.advance({ hours: integer(1, 30) }),
      async () => chance(0.1) && portal.as(SYSTEM, beginRecount, {}),
      async () => portal.as(SYSTEM, countReferrals, {}),
    ];
    Object.assign(portal, {
      sms: { ...portal.sms, send: async () => result() },
      eboks: { ...portal.eboks, send: async () => result() },
      email: { ...portal.email, send: async () => result() },
    });
  });
  afterAll(() => portal.close());

  const result = (): SendResult =>
    chance(0.7) ? { outcome: "sent", detail: "" } : { outcome: "refused", detail: "nej" };
  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  test("equal a full recount after a thousand random changes, and after a rebuild", async () => {
    await steps[0]!();
    await steps[0]!();
    for (let step = 0; step < OPERATIONS; step += 1) {
      const which = integer(0, steps.length - 1);
      await steps[which]!();
      if (step % 250 === 249) {
        while ((await portal.as(SYSTEM, countReferrals, {})).data?.counted) continue;
        expect(await storedStatistics(portal.db), `after ${step + 1} changes`).toEqual(
          await countStatistics(portal.db),
        );
      }
    }
    const measures = new Set(Object.keys(await storedStatistics(portal.db)).map((key) => key.split("|")[0]));
    expect([...measures].sort()).toEqual([
      "material",
      "message",
      "open",
      "operation",
      "sent",
      "sentBy",
      "silence",
      "stopped",
      "toCallUp",
      "toOperation",
      "toTriage",
      "urgency",
    ]);
    await portal.db.updateTable("statisticsSum").set({ n: 77 }).execute();
    await portal.as(SYSTEM, beginRecount, {});
    while ((await portal.as(SYSTEM, countReferrals, {})).data?.counted) continue;
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
  });

  test("changes at the same time add up", async () => {
    const before = await storedStatistics(portal.db);
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => aReferral(portal, dentists[index % 3]!)));
    await Promise.all(
      made.map(async (referralId) =>
        portal.as(admin, setStatus, {
          referralId,
          seenVersion: (await rowOf(referralId)).statusVersion,
          status: 2,
          isDeleteAttachments: "false",
        }),
      ),
    );
    expect(await storedStatistics(portal.db)).not.toEqual(before);
    expect(await storedStatistics(portal.db)).toEqual(await countStatistics(portal.db));
  });
});
