import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { beginSession, findSession } from "~/access/sessions.server";
import { readInfoPopup } from "~/features/accounts/operations.server";
import { readWizardPage } from "~/routes/management.henvisning-tandlaeger/data.server";
import { readReceiptPage } from "~/routes/management.visit-sent/data.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import type { PortalTextKind } from "./portal-text-kinds";
import { readPortalText, savePortalText } from "./operations.server";

forEachDatabase("texts of the portal", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let secretary: Person;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    surgeon = await aPerson(portal, { role: "Surgeon" });
    secretary = await aPerson(portal, { role: "Secretary", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(() => portal.db.deleteFrom("portalText").execute());

  const save = (kind: PortalTextKind, body: string, who = admin, buttonText = "OK") =>
    portal.as(who, savePortalText, { kind, body, buttonText });
  const read = (kind: PortalTextKind, from?: number) =>
    portal.as(admin, readPortalText, { kind, ...(from === undefined ? {} : { from }) });
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error("was not refused");
      },
      (error: Refusal) => error,
    );

  test("keep every version with author and time, and each can be edited further", async () => {
    expect(await read("conditions")).toMatchObject({ newestVersion: 0, buttonText: "Jeg accepterer", versions: [] });
    await save("conditions", "Første\r\n\r\nudgave");
    await save("conditions", "Anden udgave", surgeon);
    expect(await read("conditions")).toMatchObject({
      newestVersion: 2,
      body: "Anden udgave",
      versions: [
        { version: 2, author: `${surgeon.firstName} ${surgeon.lastName}`, createdAt: "2026-12-01T09:00:00.000Z" },
        { version: 1, body: "Første\n\nudgave", author: `${admin.firstName} ${admin.lastName}` },
      ],
    });
    expect(await read("conditions", 1)).toMatchObject({ shownVersion: 1, newestVersion: 2, body: "Første\n\nudgave" });
    expect((await refusal(read("conditions", 7))).name).toBe("notInScope");
  });

  test("two simultaneous saves make two versions; no change, no version", async () => {
    await Promise.all([save("conditions", "A"), save("conditions", "B", surgeon)]);
    const { versions, body } = await read("conditions");
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    await save("conditions", body, surgeon);
    expect((await read("conditions")).newestVersion).toBe(2);
  });

  test("an invalid text is refused at its field", async () => {
    expect((await refusal(save("conditions", " "))).fields).toEqual({ body: ["Skriv betingelserne."] });
    expect((await refusal(save("infoPopup", "Nyt", admin, ""))).fields).toEqual({
      buttonText: ["Skriv, hvad der skal stå på knappen."],
    });
    expect((await refusal(save("infoPopup", "å".repeat(2001)))).fields.body).toEqual([
      "Teksten er for lang: højst 2.000 tegn, og her er 2.001.",
    ]);
  });

  test("a new version of the conditions asks those who accepted the one before", async () => {
    const { token } = await beginSession(portal.db, secretary, portal.clock.now());
    const mustAccept = async () => (await findSession(portal, token, portal.clock.now()))!.person.mustAcceptConditions;
    expect(await mustAccept()).toBe(false);
    await save("conditions", "Betingelser");
    expect(await mustAccept()).toBe(true);
    await portal.db.updateTable("user").set({ acceptedConditionsVersion: 1 }).execute();
    expect(await mustAccept()).toBe(false);
    await save("conditions", "Andre betingelser");
    expect(await mustAccept()).toBe(true);
  });

  test("the popup shows until emptied, and the wizard begins with the clinic's words", async () => {
    const flash = { messages: [], pendingForm: null, infoPopupSeen: false, showCallUpStats: false };
    const popup = async () => (await portal.as(secretary, readInfoPopup, {}, { flash })).popup;
    const introduction = async () => {
      const page = await portal.as(secretary, readWizardPage, { step: 1, formKey: randomUUID() });
      return "introduction" in page ? page.introduction : undefined;
    };
    expect([await popup(), await introduction()]).toEqual([null, null]);
    await save("infoPopup", "Julelukket");
    await save("management", "Haster det? Ring.");
    expect([await popup(), await introduction()]).toEqual([
      { version: 1, body: "Julelukket", buttonText: "OK" },
      "Haster det? Ring.",
    ]);
    await save("infoPopup", "");
    expect(await popup()).toBe(null);
  });

  test("whom to ring is said where an urgent referral is written and once it is sent", async () => {
    const phone = portal.config.supportPhone;
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const inForm = async () => {
      const page = await portal.as(dentist, readWizardPage, { step: 1, formKey: randomUUID() });
      return "urgentAdvice" in page ? page.urgentAdvice : undefined;
    };
    const [urgent, ordinary] = [
      await aReferral(portal, dentist, { referenceType: 1 }),
      await aReferral(portal, dentist),
    ];
    const onReceipt = async (referralId: number) =>
      (await portal.as(dentist, readReceiptPage, { referralId })).urgentAdvice;
    expect([await inForm(), await onReceipt(urgent), await onReceipt(ordinary)]).toEqual([
      { text: null, phone, opening: null },
      { text: null, phone, opening: null },
      null,
    ]);
    await save("urgent", "Ring til vagten om natten.");
    const told = { text: "Ring til vagten om natten.", phone, opening: null };
    expect([await inForm(), await onReceipt(urgent)]).toEqual([told, told]);
  });
});
