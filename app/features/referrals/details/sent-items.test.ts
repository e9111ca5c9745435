import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import { visitAnswer } from "~/http/api/calls/visit-shapes.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { toMoment } from "~/text/dates";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";

/** The eleven delivery states with their colours: 3 teal, 0 and 2 grey, all others orange. */
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

forEachDatabase("the sections of an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let secretary: Person;
  let referralId: number;
  const { read, open, set } = openReferralPortal(dialect, (given) => {
    ({ portal, dentist, secretary, referralId } = given);
  });

  const at = () => toMoment(portal.clock.now());
  const own = () => ({ referralId, createdAt: at() });
  const callUp = () => ({
    ...own(),
    incallDate: null,
    contentEncrypted: null,
    storedFileId: null,
    visitLogId: null,
  });
  const discharge = () => ({
    ...own(),
    diagnosisFileId: null,
    status: 0,
    errorMessage: null,
    sendDate: null,
    recipientEmail: null,
    surgeonEmail: null,
    attempts: 1,
    isEdi: false,
    sendEdiAsEmail: false,
    deletedAt: null,
  });

  test("times, invoices and estimates show the eleven states in their words and colours", async () => {
    for (const [status] of deliveries) {
      const letter = { ...own(), status, sendDate: status === 0 ? null : at() };
      const sealed = sealedAppointmentLetter.seal(portal.secrets, "Din tid er fundet.");
      await portal.db
        .insertInto("appointmentLetter")
        .values({ ...letter, appointmentType: status % 3, ...sealed })
        .execute();
      await portal.db
        .insertInto("billingLetter")
        .values({ ...letter, kind: status % 2 === 0 ? "invoice" : "offer" })
        .execute();
    }
    const { appointmentLetters, billing = [] } = (await open()).sections;
    for (const lines of [appointmentLetters, billing])
      expect(lines.map(({ state }) => [state.label, state.tone]).reverse()).toEqual(
        deliveries.map(([, label, tone]) => [label, tone]),
      );
    expect(appointmentLetters.slice(-3).map(({ type }) => type)).toEqual(["e-Boks", "Brev", "Email"]);
    expect(billing.slice(-2).map(({ type }) => type)).toEqual(["Overslag", "Faktura"]);
    expect([appointmentLetters.at(-1)!.at, billing.at(-1)!.at, appointmentLetters[0]!.at]).toEqual([
      "siden 01.12.2026 kl.\u00a010.00",
      "siden 01.12.2026 kl.\u00a010.00",
      "sendt 01.12.2026 kl.\u00a010.00",
    ]);
    expect([appointmentLetters[0]!.content, (await open(dentist)).sections.appointmentLetters[0]!.content]).toEqual([
      "Din tid er fundet.",
      null,
    ]);
  });

  test("call-ups show their types and states, and their status its banner", async () => {
    for (const [type, status] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const) {
      await portal.db
        .insertInto("callUp")
        .values({
          ...callUp(),
          callUpType: type,
          callUpStatus: status,
          incallDate: status === 1 ? null : at(),
          ...sealedCallUp.seal(portal.secrets, "Ring til os."),
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
      await set({ callUpStatus: status });
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
    const states: [number, string | null, string][] = [
      [0, null, "Afventer i kø"],
      [1, null, "Ubrev sendt med succes"],
      [2, "Postkassen er fuld", "Postkassen er fuld"],
      [2, null, "Udsendelse"],
    ];
    for (const [index, [status, error]] of states.entries()) {
      await portal.db
        .insertInto("dischargeLetter")
        .values({
          ...discharge(),
          recipientEmail: "henviser@eksempel.dk",
          letterNumber: index + 1,
          status,
          errorMessage: error,
          sendDate: status === 1 ? at() : null,
          attempts: 1 + (index % 2),
        })
        .execute();
    }
    const letters = (await open()).letters.letters.toReversed();
    expect(letters.map(({ state, facts }) => [state?.label, facts.at(-1)?.value])).toEqual(
      states.map(([, , label], index) => [label, `${1 + (index % 2)}/2`]),
    );
    expect([letters[0]!.sentAt, letters[1]!.sentAt]).toEqual([null, "01.12.2026 kl.\u00a010.00"]);
    expect((await open(secretary)).letters.letters.map(({ state }) => state)).toEqual([null, null, null, null]);
    expect(visitAnswer(await portal.as(dentist, readReferral, { referralId })).terminationEmailSendDate).toBe(
      "2026-12-01T09:00:00.000Z",
    );
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
        referralId,
        userId: null,
        recipientEncrypted: "",
        contentEncrypted: "",
        outcome,
        code,
        detail,
        attempts: 2,
        createdAt: at(),
        notBefore: at(),
        sentAt: outcome === "sent" ? at() : null,
      };
      return Number((await portal.db.insertInto("outbox").values(row).executeTakeFirstOrThrow()).insertId);
    };
    for (const outboxId of [
      await sent("queued", 0),
      await sent("awaiting", 2),
      await sent("sent", 3),
      await sent("failed", 10),
      await sent("unknown", 9),
    ]) {
      const letter = { ...own(), outboxId, status: 0, sendDate: null };
      await portal.db
        .insertInto("callUp")
        .values({ ...callUp(), outboxId, callUpType: 3, callUpStatus: 1 })
        .execute();
      await portal.db
        .insertInto("appointmentLetter")
        .values({ ...letter, appointmentType: 2, contentEncrypted: null })
        .execute();
      await portal.db
        .insertInto("billingLetter")
        .values({ ...letter, kind: "invoice" })
        .execute();
    }
    for (const [index, outboxId] of [
      await sent("sent", 3),
      await sent("failed", 9, "Postkassen er fuld"),
      await sent("unknown", 9),
    ].entries())
      await portal.db
        .insertInto("dischargeLetter")
        .values({ ...discharge(), letterNumber: index + 1, outboxId })
        .execute();
    const {
      sections: { callUps, appointmentLetters, billing = [] },
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
      ).toEqual(["siden 01.12.2026 kl.\u00a010.00", "sendt 01.12.2026 kl.\u00a010.00"]);
    }
    expect(letters.toReversed().map(({ state, facts }) => [state?.label, facts.at(-1)?.value])).toEqual([
      ["Ubrev sendt med succes", "1/2"],
      ["Postkassen er fuld", "1/2"],
      ["Ukendt: kontrollér hos modtageren", "1/2"],
    ]);
  });
});
