import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { visitAnswer } from "~/http/api/calls/visit-shapes.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { callUpByPhone } from "~/features/call-ups/send-call-up.server";
import { type ListedReferrals, listReferrals } from "~/features/referrals/list/list-referrals.server";
import { toMoment } from "~/text/dates";
import { aCallUp } from "../../../../tests/factories/call-ups";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { radiographExportState } from "~/features/referrals/details/sent-items";

forEachDatabase("the sections of an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let secretary: Person;
  let referralId: number;
  const { read, open, set } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, dentist, secretary, referralId } = given);
  });

  test("only staff see the export: none, no data, planned, failed, archived", async () => {
    const labels: (string | null)[] = [];
    for (const status of [null, 0, 1, 2, 3]) {
      await set({ radiographExportStatus: status });
      labels.push((await open()).archive?.state?.label ?? null);
    }
    expect(labels).toEqual([null, "Ingen data", "Planlagt", "Fejl i export - tjek format", "Arkiveret korrekt"]);
    for (const person of [dentist, secretary]) expect((await open(person)).archive).toBeNull();
    expect(radiographExportState(null, false)?.label, "no archive is set up").toBe("Arkivet: Ikke indstillet");
  });

  test("the referrer reads that the patient was told only once a call-up has left", async () => {
    await set({ status: 5 });
    const said = async () => {
      const list = await portal.as(dentist, listReferrals, { visitNumber: String(referralId) });
      const row = (list as ListedReferrals).rows.find(({ id }) => id === referralId);
      return [(await open(dentist)).meaning, row?.meaning];
    };
    expect(await said()).toEqual(["Patienten skal indkaldes.", "Patienten skal indkaldes."]);
    await aCallUp(portal, referralId);
    const told = "Patienten har fået besked og skal ringe til klinikken.";
    expect(await said()).toEqual([told, told]);
  });

  test("a time noted by phone tells the patient too", async () => {
    await portal.as(admin, callUpByPhone, { referralId });
    await set({ status: 5 });
    expect((await open(dentist)).meaning).toBe("Patienten har fået besked og skal ringe til klinikken.");
  });

  test("with a time to come the head shows it and nothing suggests closing", async () => {
    await set({ status: 6, operationDate: "2026-12-03", operationHour: 11, operationMinute: 30 });
    const shown = async () => {
      const { timeToCome, nextSteps } = await open();
      return [timeToCome, nextSteps.map(({ step }) => step)];
    };
    expect(await shown()).toEqual([{ at: "torsdag 03.12. kl.\u00a011.30", ahead: "om 2 dage" }, [15]]);
    await set({ cancellationDate: "2026-12-01T08:00:00.000Z" });
    expect(await shown()).toEqual([null, [7, 15]]);
    await set({ cancellationDate: null, operationDate: "2026-12-01", operationHour: 9 });
    expect(await shown()).toEqual([null, [7, 15]]);
  });

  test("of a long log the page shows the newest 500 events", async () => {
    const row = { referralId, at: "2026-12-01T09:00:00.000Z", modifierName: "Tandlæge", event: "Rettet" };
    await portal.db
      .insertInto("visitLog")
      .values(Array.from({ length: 500 }, () => row))
      .execute();
    const { log, isLogCut } = await open();
    expect([log.length, isLogCut, log[0]!.what]).toEqual([500, true, "Rettet"]);
  });

  test("the plan shows unknown treatments, empty parts of times, and staff's flags", async () => {
    await set({
      operationDate: "2027-01-04",
      operationHour: null,
      operationMinute: null,
      treatmentTypeId: -100,
      price: 4850.5,
      notNeedTreatmentComment: "Har fundet en anden klinik.",
      status: 2,
      sendRadiographToPatient: true,
      forceRadiographExport: true,
    });
    await portal.db
      .insertInto("visitAppointment")
      .values([
        {
          referralId,
          date: "2027-01-04",
          time: "10:15",
          durationMinutes: 45,
          treatment: "Operativ fjernelse",
          externalCode: "OP-48",
          isCancelled: true,
          modifiedAt: toMoment(portal.clock.now()),
        },
        {
          referralId,
          date: "2027-01-11",
          time: null,
          durationMinutes: 15,
          treatment: "Kontrol",
          externalCode: "KTR-1",
          isCancelled: false,
          modifiedAt: toMoment(portal.clock.now()),
        },
      ])
      .execute();
    const seen = await open();
    expect(seen.plan).toMatchObject({
      at: "04.01.2027 kl. 00.00",
      treatmentType: "Ukendt behandling",
      price: "4.850,50 kr.",
      statusComment: null,
      flags: ["Send røntgenbilleder til patienten", "Gennemtving eksport af røntgenbilleder"],
    });
    expect(
      seen.sections.appointments.map(({ date, treatment, externalCode }) => [date, treatment, externalCode]),
    ).toEqual([
      ["04.01.2027 10.15", "Operativ fjernelse", "OP-48"],
      ["11.01.2027", "Kontrol", "KTR-1"],
    ]);
    await set({ status: 8 });
    expect((await open(dentist)).plan).toMatchObject({ statusComment: "Har fundet en anden klinik.", flags: [] });
    expect(visitAnswer(await portal.as(dentist, readReferral, { referralId }))).toMatchObject({
      appointmentDate: "2027-01-11",
      visitAppointments: [{ isCancelled: true }, { isCancelled: false }],
    });
  });

  describe("what only staff see", () => {
    test("staff see its authors, test mark, log, next steps and forms", async () => {
      await set({ isTest: true });
      const name = `${dentist.firstName} ${dentist.lastName}`;
      expect(await open()).toMatchObject({
        mayEdit: true,
        isTest: true,
        creatorName: name,
        modifierName: name,
        nextSteps: [{ label: "Visiteret" }, { label: "Afventer yderligere materiale" }, { label: "Visiteret haster" }],
      });
      expect((await read(admin, "plan")).edit).not.toBeNull();
      for (const person of [dentist, secretary]) {
        const seen = await open(person, "plan");
        expect(seen).toMatchObject({
          mayEdit: false,
          isTest: false,
          creatorName: null,
          modifierName: null,
          modifiedAt: null,
          nextSteps: [],
          edit: null,
          archive: null,
          messages: { clinic: null },
        });
        expect(seen.log).toEqual([]);
      }
    });

    test("everybody else sees another status instead of TU-status", async () => {
      await set({ status: 10 });
      expect([(await open()).statusLabel, (await open(dentist)).statusLabel]).toEqual(["TU-status", "I behandling"]);
    });
  });
});
