import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendMessage } from "~/features/delivery/send-message.server";
import { editPatient } from "~/features/referrals/details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import type { ArchiveInstance, ArchiveResult } from "~/gateways/image-archive/port";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

const OWNER = { cpr6: "620170", cpr4: "4321" };

forEachDatabase(
  "a patient is corrected while an image is on its way to the archive",
  { mariadb: "matrix" },
  (dialect) => {
    let portal: TestPortal;
    let admin: Person;
    let dentist: Person;
    let handed: string[];
    let asked: string[];
    let answer: (instance: ArchiveInstance) => Promise<ArchiveResult>;
    const taken = async (): Promise<ArchiveResult> => ({ outcome: "sent", detail: "" });

    beforeAll(async () => {
      portal = await createTestPortal(dialect);
      portal.imageArchive = {
        label: "",
        mode: "live",
        deduplicates: true,
        async send({ instance }) {
          handed.push(instance.sopInstance);
          const next = answer;
          answer = taken;
          return next(instance);
        },
        async find({ sopInstance }) {
          asked.push(sopInstance);
          return handed.includes(sopInstance) ? { outcome: "sent", detail: "" } : null;
        },
      };
      admin = await aPerson(portal, { role: "Admin" });
      dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    });
    beforeEach(() => {
      [handed, asked, answer] = [[], [], taken];
    });
    afterAll(() => portal.close());

    const work = async () => {
      const lane = { owner: "a", channel: "archive" as const };
      while ((await portal.as({ kind: "system", job: "test" }, sendMessage, lane)).data?.sent === true);
    };
    const correct = async (id: number, to: { cpr6: string; cpr4: string; lastName?: string }) => {
      const { version, patient } = await portal.as(admin, readReferral, { referralId: id });
      const { firstName, lastName } = patient;
      const same = { referralId: id, seenVersion: version, firstName, lastName, zip: "8000", city: "Aarhus" };
      return (await portal.as(admin, editPatient, { ...same, ...to })).flash?.text;
    };
    const outcomes = async (id: number) =>
      (
        await portal.db
          .selectFrom("outbox")
          .select("outcome")
          .where("referralId", "=", id)
          .where("channel", "=", "archive")
          .orderBy("id")
          .execute()
      ).map(({ outcome }) => outcome);
    const status = async (id: number) =>
      (
        await portal.db
          .selectFrom("referral")
          .select("radiographExportStatus")
          .where("id", "=", id)
          .executeTakeFirstOrThrow()
      ).radiographExportStatus;
    const archiveLog = async (id: number) =>
      (
        await portal.db
          .selectFrom("visitLog")
          .select("event")
          .where("referralId", "=", id)
          .where("logType", "=", "archive")
          .orderBy("id")
          .execute()
      ).map(({ event }) => event);

    test("a picture under way goes once more as the new patient's, and is logged", async () => {
      const id = await aReferral(portal, dentist);
      await aRadiograph(portal, dentist, id, "tand.jpg");
      answer = async () => {
        expect(await correct(id, { cpr6: "640180", cpr4: "2001" })).toContain(
          "1 billede er på vej til arkivet lige nu, og sendes igen bagefter. I arkivet kan der ligge billeder under det tidligere CPR-nummer: få dem fjernet dér.",
        );
        return { outcome: "sent", detail: "" };
      };
      await work();
      expect(new Set(handed).size).toBe(2);
      expect([await outcomes(id), await status(id)]).toEqual([["sent", "sent"], 3]);
      expect(await archiveLog(id)).toEqual([
        expect.stringContaining("CPR-nummeret er rettet: 1 billede er på vej til arkivet"),
        expect.stringContaining("Et billede var på vej til arkivet, da CPR-nummeret blev rettet, og er planlagt igen."),
        "Røntgenbilleder til arkivet: Arkiveret korrekt",
      ]);
    });

    test("a DICOM file that was the patient's when it left is judged anew, and withheld", async () => {
      const id = await aReferral(portal, dentist);
      await correct(id, OWNER);
      await aRadiograph(portal, dentist, id, "egen.dcm", 4);
      answer = async () => {
        await correct(id, { cpr6: "640180", cpr4: "2002" });
        return { outcome: "sent", detail: "" };
      };
      await work();
      expect([handed.length, await outcomes(id), await status(id)]).toEqual([1, ["sent", "failed"], 2]);
      expect((await portal.as(admin, readReferral, { referralId: id })).withheldImages).toHaveLength(1);
    });

    test("a failed attempt is retried once, as the new patient's", async () => {
      const id = await aReferral(portal, dentist);
      await aRadiograph(portal, dentist, id, "tand.jpg");
      answer = async () => {
        await correct(id, { cpr6: "640180", cpr4: "2003" });
        return { outcome: "retry", detail: "Arkivet lukkede forbindelsen uden svar" };
      };
      await work();
      portal.clock.advance({ minutes: 2 });
      await work();
      expect([new Set(handed).size, await outcomes(id), await status(id)]).toEqual([2, ["sent"], 3]);
    });

    test("an image stored but not yet listed is exported again", async () => {
      const id = await aReferral(portal, dentist);
      await aRadiograph(portal, dentist, id, "tand.jpg");
      answer = async () => ({ outcome: "accepted", detail: "", reference: handed.at(-1)! });
      await work();
      expect(await outcomes(id)).toEqual(["awaiting"]);
      expect(await correct(id, { cpr6: "640180", cpr4: "2004" })).toContain("1 billede er planlagt til arkivet igen.");
      await work();
      portal.clock.advance({ days: 3 });
      await work();
      expect([new Set(handed).size, await outcomes(id), await status(id)]).toEqual([2, ["withdrawn", "sent"], 3]);
    });

    test("the archive is asked for an image by the name that it got", async () => {
      const id = await aReferral(portal, dentist, { firstName: "Bo", lastName: "Ny" });
      await correct(id, { cpr6: "640180", cpr4: "2005" });
      await aRadiograph(portal, dentist, id, "tand.jpg");
      answer = async () => ({ outcome: "accepted", detail: "", reference: handed.at(-1)! });
      await work();
      await correct(id, { cpr6: "640180", cpr4: "2005", lastName: "Nyere" });
      portal.clock.advance({ minutes: 6 });
      await work();
      expect([asked, await outcomes(id)]).toEqual([handed, ["sent"]]);
    });

    test("another key of the database gives no image another name", async () => {
      const id = await aReferral(portal, dentist);
      await aRadiograph(portal, dentist, id, "tand.jpg");
      answer = async () => ({ outcome: "retry", detail: "Arkivet har ikke plads (A700)" });
      await work();
      await portal.db
        .updateTable("referral")
        .set({ cprHash: `k2.${"a".repeat(43)}` })
        .where("id", "=", id)
        .execute();
      portal.clock.advance({ minutes: 2 });
      await work();
      expect([handed.length, new Set(handed).size]).toEqual([2, 1]);
    });
  },
);
