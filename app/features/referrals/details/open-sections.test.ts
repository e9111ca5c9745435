import { readOpenReferral } from "~/features/open-referral/read-open-referral.server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { visitAnswer } from "~/http/api/calls/visit-answer.server";
import { radiographExportState } from "./sent-items";

/** The eleven states of what was sent, each with its colour: 3 teal, 0 and 2 grey, all others orange. */
const deliveries: [number, string, string][] = [
  [0, "I kø", "closed"],
  [1, "Fejl i ftp upload", "waiting"],
  [2, "Uploaded til eboks - venter på resultat", "closed"],
  [3, "Sendt med succes", "ready"],
  [4, "Modtager ikke aktiv i eboks", "waiting"],
  [5, "Beskeden er for lang", "waiting"],
  [6, "Modtager findes ikke", "waiting"],
  [7, "Datofejl", "waiting"],
  [8, "Ikke indstillet", "waiting"],
  [9, "Fejl", "waiting"],
  [10, "Fejl hemmelig adresse", "waiting"],
];

forEachDatabase("the sections of an open referral", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let secretary: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinicIds = [await aClinic(portal)];
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds });
  }, 60_000);
  afterAll(() => portal.close());
  beforeEach(async () => {
    referralId = await aReferral(portal, dentist);
  });

  const read = (person: Person) => portal.as(person, readOpenReferral, { referralId });
  const open = async (person = admin) => presentReferral(await read(person));
  const set = (columns: Record<string, unknown>) =>
    portal.db.updateTable("referral").set(columns).where("id", "=", referralId).execute();
  const at = () => toMoment(portal.clock.now());

  test("times, invoices and estimates show the eleven states in their words and colours", async () => {
    for (const [status] of deliveries) {
      await portal.db
        .insertInto("appointment_letter")
        .values({
          referral_id: referralId,
          appointment_type: status % 3,
          status,
          send_date: status === 0 ? null : at(),
          created_at: at(),
          ...sealedAppointmentLetter.seal(portal.secrets, "Din tid er fundet."),
        })
        .execute();
      await portal.db
        .insertInto("billing_letter")
        .values({
          referral_id: referralId,
          kind: status % 2 === 0 ? "invoice" : "offer",
          status,
          send_date: status === 0 ? null : at(),
          created_at: at(),
        })
        .execute();
    }
    const { appointmentLetters, billing } = (await open()).sections;
    for (const lines of [appointmentLetters, billing])
      expect(lines.map(({ state }) => [state.label, state.tone]).reverse()).toEqual(
        deliveries.map(([, label, tone]) => [label, tone]),
      );
    expect(appointmentLetters.slice(-3).map(({ type }) => type)).toEqual(["e-Boks", "Brev", "Email"]);
    expect(billing.slice(-2).map(({ type }) => type)).toEqual(["Overslag", "Faktura"]);
    expect([appointmentLetters.at(-1)!.at, billing.at(-1)!.at, appointmentLetters[0]!.at]).toEqual([
      "siden 01.12.2026 kl. 10.00",
      "siden 01.12.2026 kl. 10.00",
      "sendt 01.12.2026 kl. 10.00",
    ]);
    expect([appointmentLetters[0]!.content, (await open(dentist)).sections.appointmentLetters[0]!.content]).toEqual([
      "Din tid er fundet.",
      null,
    ]);
  });

  test("call-ups show their four types and states, and the referral's call-up status its banner", async () => {
    for (const [type, status] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const) {
      await portal.db
        .insertInto("call_up")
        .values({
          referral_id: referralId,
          call_up_type: type,
          call_up_status: status,
          incall_date: status === 1 ? null : at(),
          ...sealedCallUp.seal(portal.secrets, "Ring til os."),
          stored_file_id: null,
          visit_log_id: null,
          created_at: at(),
        })
        .execute();
    }
    const { callUps } = (await open()).sections;
    expect(callUps.map(({ type, state }) => [type, state.label]).reverse()).toEqual([
      ["Email", "Igangværende"],
      ["Brev", "Mislykkedes"],
      ["SMS", "Succes"],
      ["e-Boks", "Fejl hemmelig adresse"],
    ]);
    expect(callUps.at(-1)!.at).toBe("Ingen afsendelsesdato");
    const banners: (string | null)[] = [];
    for (const status of [0, 1, 2, 3, 4]) {
      await set({ call_up_status: status });
      banners.push((await open()).sections.callUpNotice);
    }
    expect(banners).toEqual([
      null,
      "Indkaldsbrev er planlagt.",
      "Nogle incalls har fejl.",
      null,
      "Indkald ikke mulig pga. hemlig adresse.",
    ]);
    expect((await read(dentist)).sections.callUps[0]).toMatchObject({
      type: 3,
      status: 4,
      fileName: null,
      logId: null,
      content: null,
    });
  });

  test("a discharge letter shows its attempts, and its state to staff only", async () => {
    const letter = {
      referral_id: referralId,
      diagnosis_file_id: null,
      recipient_email: "henviser@eksempel.dk",
      surgeon_email: null,
      is_edi: 0,
      send_edi_as_email: 0,
      created_at: at(),
      deleted_at: null,
    };
    const states: [number, string | null, string][] = [
      [0, null, "Afventer i kø"],
      [1, null, "Ubrev sendt med succes"],
      [2, "Postkassen er fuld", "Postkassen er fuld"],
      [2, null, "Udsendelse"],
    ];
    for (const [index, [status, error]] of states.entries()) {
      await portal.db
        .insertInto("discharge_letter")
        .values({
          ...letter,
          letter_number: index + 1,
          status,
          error_message: error,
          send_date: status === 1 ? at() : null,
          attempts: 1 + (index % 2),
        })
        .execute();
    }
    const letters = (await open()).letters.letters.toReversed();
    expect(letters.map(({ state, facts }) => [state?.label, facts.at(-1)?.value])).toEqual(
      states.map(([, , label], index) => [label, `${1 + (index % 2)}/2`]),
    );
    expect([letters[0]!.sentAt, letters[1]!.sentAt]).toEqual([null, "01.12.2026 kl. 10.00"]);
    expect((await open(secretary)).letters.letters.map(({ state }) => state)).toEqual([null, null, null, null]);
    expect(visitAnswer(await read(dentist)).terminationEmailSendDate).toBe("2026-12-01T09:00:00.000Z");
  });

  test("what was sent through the outbox shows the outbox's state", async () => {
    const sent = async (
      outcome: "queued" | "awaiting" | "sent" | "failed" | "unknown",
      code: number,
      detail: string | null = null,
    ) => {
      const row = {
        channel: "eboks",
        kind: "letter",
        referral_id: referralId,
        user_id: null,
        recipient_encrypted: "",
        content_encrypted: "",
        outcome,
        code,
        detail,
        attempts: 2,
        created_at: at(),
        not_before: at(),
        sent_at: outcome === "sent" ? at() : null,
      };
      return Number((await portal.db.insertInto("outbox").values(row).executeTakeFirstOrThrow()).insertId);
    };
    const own = { referral_id: referralId, created_at: at(), send_date: null };
    for (const outboxId of [
      await sent("queued", 0),
      await sent("awaiting", 2),
      await sent("sent", 3),
      await sent("failed", 10),
      await sent("unknown", 9),
    ]) {
      await portal.db
        .insertInto("call_up")
        .values({
          referral_id: referralId,
          outbox_id: outboxId,
          call_up_type: 3,
          call_up_status: 1,
          incall_date: null,
          content_encrypted: null,
          stored_file_id: null,
          visit_log_id: null,
          created_at: at(),
        })
        .execute();
      await portal.db
        .insertInto("appointment_letter")
        .values({ ...own, outbox_id: outboxId, appointment_type: 2, status: 0, content_encrypted: null })
        .execute();
      await portal.db
        .insertInto("billing_letter")
        .values({ ...own, outbox_id: outboxId, kind: "invoice", status: 0 })
        .execute();
    }
    const discharge = {
      ...own,
      diagnosis_file_id: null,
      recipient_email: null,
      surgeon_email: null,
      is_edi: 0,
      send_edi_as_email: 0,
      deleted_at: null,
      status: 0,
      error_message: null,
      attempts: 1,
    };
    for (const [index, outboxId] of [
      await sent("sent", 3),
      await sent("failed", 9, "Postkassen er fuld"),
      await sent("unknown", 9),
    ].entries())
      await portal.db
        .insertInto("discharge_letter")
        .values({ ...discharge, letter_number: index + 1, outbox_id: outboxId })
        .execute();
    const {
      sections: { callUps, appointmentLetters, billing },
      letters: { letters },
    } = await open();
    expect(callUps.map(({ state }) => state.label).reverse()).toEqual([
      "Igangværende",
      "Igangværende",
      "Succes",
      "Fejl hemmelig adresse",
      "Mislykkedes",
    ]);
    for (const lines of [appointmentLetters, billing]) {
      expect(lines.map(({ state }) => state.label).reverse()).toEqual([
        "I kø",
        "Uploaded til eboks - venter på resultat",
        "Sendt med succes",
        "Fejl hemmelig adresse",
        "Fejl",
      ]);
      expect(
        lines
          .map((line) => line.at)
          .reverse()
          .slice(1, 3),
      ).toEqual(["siden 01.12.2026 kl. 10.00", "sendt 01.12.2026 kl. 10.00"]);
    }
    expect(letters.toReversed().map(({ state, facts }) => [state?.label, facts.at(-1)?.value])).toEqual([
      ["Ubrev sendt med succes", "1/2"],
      ["Postkassen er fuld", "1/2"],
      ["Ukendt: kontrollér hos modtageren", "1/2"],
    ]);
  });

  test("only staff see the export of the images: none, no data, planned, failed, archived", async () => {
    const labels: (string | null)[] = [];
    for (const status of [null, 0, 1, 2, 3]) {
      await set({ radiograph_export_status: status });
      labels.push((await open()).archive?.state?.label ?? null);
    }
    expect(labels).toEqual([null, "Ingen data", "Planlagt", "Fejl i export - tjek format", "Arkiveret korrekt"]);
    for (const person of [dentist, secretary]) expect((await open(person)).archive).toBeNull();
    expect(radiographExportState(null, false)?.label, "no archive is set up").toBe("Arkivet: Ikke indstillet");
  });

  test("the plan: an unknown treatment has its words, parts of the time are 00, the extra comment belongs to status 8, the flags are staff's", async () => {
    await set({
      operation_date: "2027-01-04",
      operation_hour: null,
      operation_minute: null,
      treatment_type_id: -100,
      price: 4850.5,
      not_need_treatment_comment: "Har fundet en anden klinik.",
      status: 2,
      send_radiograph_to_patient: 1,
      force_radiograph_export: 1,
    });
    await portal.db
      .insertInto("visit_appointment")
      .values([
        {
          referral_id: referralId,
          date: "2027-01-04",
          time: "10:15",
          duration_minutes: 45,
          treatment: "Operativ fjernelse",
          external_code: "OP-48",
          is_cancelled: 1,
          modified_at: at(),
        },
        {
          referral_id: referralId,
          date: "2027-01-11",
          time: null,
          duration_minutes: 15,
          treatment: "Kontrol",
          external_code: "KTR-1",
          is_cancelled: 0,
          modified_at: at(),
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
      ["04.01.2027 kl. 10.15", "Operativ fjernelse", "OP-48"],
      ["11.01.2027", "Kontrol", "KTR-1"],
    ]);
    await set({ status: 8 });
    expect((await open(dentist)).plan).toMatchObject({ statusComment: "Har fundet en anden klinik.", flags: [] });
    expect(visitAnswer(await read(dentist))).toMatchObject({
      appointmentDate: "2027-01-11",
      visitAppointments: [{ isCancelled: true }, { isCancelled: false }],
    });
  });

  describe("what only staff see", () => {
    test("who made it and changed it, that it is a test, the log, the next steps and the forms", async () => {
      await set({ is_test: 1 });
      const name = `${dentist.firstName} ${dentist.lastName}`;
      expect(await open()).toMatchObject({
        mayEdit: true,
        isTest: true,
        creatorName: name,
        modifierName: name,
        nextSteps: [{ label: "Visiteret" }, { label: "Afventer yderligere materiale" }, { label: "Visiteret haster" }],
      });
      expect((await portal.as(admin, readOpenReferral, { referralId, edit: "plan" })).edit).not.toBeNull();
      for (const person of [dentist, secretary]) {
        const seen = presentReferral(await portal.as(person, readOpenReferral, { referralId, edit: "plan" }));
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
