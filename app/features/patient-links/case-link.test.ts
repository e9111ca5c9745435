import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { beforeEach, expect, test } from "vitest";
import { loggedEvents } from "../../../tests/support/logged-events";
import { aCallUp } from "../../../tests/factories/call-ups";
import { aReferral } from "../../../tests/factories/referrals";
import { closed, patientLinksPortal } from "../../../tests/support/portals/patient-links-portal";
import { form as reminders } from "../../../tests/support/portals/reminders-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { saveMessageText } from "~/features/message-settings/operations.server";
import { courseOf, isLate, nextStepText, patientMeaning } from "~/features/referrals/model/patient-words";
import { statuses } from "~/features/referrals/model/statuses";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { saveReminderSettings } from "~/features/reminders/reminder-settings.server";
import { insertStop } from "~/features/sms-stops/sms-stop-store.server";
import { readOwnCase } from "./case-link.server";
import { revokeFileLinks } from "./operations.server";

const form = { ...reminders, isOn: undefined };

test("every status has words for the patient, without treatment", () => {
  for (const { value, othersSee = value } of statuses) {
    const words = [true, false].map((isTold) => patientMeaning({ status: othersSee, isTold }));
    expect(words).not.toContain("");
    expect(words.join(" ")).not.toMatch(/narkose|operation|behandl|haster|tand(?!læge)/i);
  }
});

forEachDatabase("the link to the case", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  const { work, messages, token, open } = patientLinksPortal(dialect, (begun) => {
    ({ portal, admin, dentist } = begun);
  });
  const switchTo = (sendsCaseLink: "on" | undefined) =>
    portal.as(admin, saveReminderSettings, { ...form, sendsCaseLink });
  const arrives = (changes: object = {}) =>
    aReferral(portal, dentist, { firstName: "Åse", mobilePhone: "40 12 34 56", ...changes });
  const linkEvents = async (id: number) =>
    (await loggedEvents(portal.db, id)).filter((event) => event?.startsWith("Link til sagen"));
  const outcomes = async () => (await messages()).map(({ kind, outcome }) => [kind, outcome]);
  async function statusIs(referralId: number, status: number) {
    const { statusVersion: seenVersion } = await portal.db
      .selectFrom("referral")
      .select("statusVersion")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, setStatus, { referralId, status, seenVersion, isDeleteAttachments: "false" });
  }

  beforeEach(async () => {
    await switchTo("on");
    await portal.db.deleteFrom("outbox").execute();
  });

  test("is not sent until the clinic switches it on", async () => {
    await switchTo(undefined);
    const id = await arrives();
    expect([await messages(), await linkEvents(id)]).toEqual([[], []]);
  });

  test("goes once by SMS when the referral arrives, and opens the case", async () => {
    const id = await arrives();
    expect(await linkEvents(id)).toEqual(["Link til sagen i kø (SMS)"]);
    await work("sms");
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    expect(message).toMatchObject({ kind: "caseLink", outcome: "sent", to: "+4540123456" });
    expect(message!.text).toMatch(
      /^Kære Åse\. Du er henvist til .+\. Følg med i, hvad der sker: https?:\/\/\S+\/sag\?tk=[\w-]{22}$/,
    );
    const shown = await open(readOwnCase, await token());
    expect(shown).toMatchObject({ firstName: "Åse", lastSign: { what: "received", at: "2026-12-01T09:00:00.000Z" } });
    expect(JSON.stringify(shown)).not.toMatch(/Møller|0180|48|Åvej/);
    await statusIs(id, 4);
    await statusIs(id, 0);
    expect(await messages()).toHaveLength(1);
  });

  test("says where the case is, by when something happens, and that it is late", async () => {
    const id = await arrives();
    const link = await token();
    const told = async () => {
      const { step } = await open(readOwnCase, link);
      return [patientMeaning(step), nextStepText(step), isLate(step)];
    };
    expect(await told()).toEqual([
      "Vi har modtaget henvisningen og læser den.",
      "Næste skridt er senest fredag 4. december 2026.",
      false,
    ]);
    portal.clock.set("2026-12-05T09:00:00.000Z");
    expect(await told()).toEqual([
      "Vi har modtaget henvisningen og læser den.",
      "Næste skridt skulle være sket senest fredag 4. december 2026. Det beklager vi.",
      true,
    ]);
    await statusIs(id, 15);
    expect((await told())[1]).toBe("Du hører fra os senest torsdag 10. december 2026.");
    await statusIs(id, 5);
    expect(await told()).toEqual([
      "Det er snart din tur. Vi skriver til dig om en tid.",
      "Du hører fra os senest mandag 21. december 2026.",
      false,
    ]);
    await aCallUp(portal, id);
    expect((await told())[1]).toBe("Har du ikke ringet inden, kontakter vi dig senest mandag 21. december 2026.");
    await statusIs(id, 6);
    const treated = await told();
    await statusIs(id, 10);
    expect(treated).toEqual(["Du er i gang med et forløb hos os.", null, false]);
    expect(await told()).toEqual(treated);
    await statusIs(id, 7);
    expect(await told()).toEqual(["Dit forløb hos os er afsluttet.", null, false]);
  });

  test("shows four steps, and none as done that has not happened", async () => {
    const id = await arrives();
    const link = await token();
    const shown = async () => {
      const found = await open(readOwnCase, link);
      return courseOf(found.step, found)?.map(
        ({ title, note, state }) => `${state}: ${title}${note ? `, ${note}` : ""}`,
      );
    };
    expect(await shown()).toEqual([
      "done: Modtaget, tirsdag 1. december 2026",
      "now: Vurderes af en kirurg, Næste skridt er senest fredag 4. december 2026.",
      "next: Du får besked om en tid, på SMS eller i e-Boks",
      "next: Behandling",
    ]);
    await statusIs(id, 2);
    expect((await shown())!.map((line) => line.split(":")[0])).toEqual(["done", "done", "now", "next"]);
    await statusIs(id, 6);
    expect((await shown())!.map((line) => line.split(":")[0])).toEqual(["done", "done", "done", "now"]);
    await statusIs(id, 7);
    expect(await shown()).toBeUndefined();
    const withdrawn = await arrives();
    const other = await token();
    await statusIs(withdrawn, 10);
    const { step, ...found } = await open(readOwnCase, other);
    expect(courseOf(step, found)![1]).toMatchObject({ title: "Vurderes af en kirurg", state: "now" });
  });

  test("ends after half a year, when staff revoke it, and with the referral", async () => {
    const id = await arrives();
    const link = await token();
    expect((await portal.as(admin, readOpenReferral, { referralId: id })).toPatient!.links.goodUntil).not.toBeNull();
    await portal.as(admin, revokeFileLinks, { referralId: id });
    await expect(open(readOwnCase, link)).rejects.toMatchObject(closed);
    expect(await outcomes()).toEqual([["caseLink", "withdrawn"]]);
    const other = await arrives();
    const lasting = await token();
    await portal.db
      .updateTable("referral")
      .set({ deletedAt: "2026-12-02T09:00:00.000Z" })
      .where("id", "=", other)
      .execute();
    await expect(open(readOwnCase, lasting)).rejects.toMatchObject(closed);
    await portal.db.updateTable("referral").set({ deletedAt: null }).where("id", "=", other).execute();
    portal.clock.set("2027-05-30T08:59:00.000Z");
    await open(readOwnCase, lasting);
    portal.clock.set("2027-05-30T09:00:00.000Z");
    await expect(open(readOwnCase, lasting)).rejects.toMatchObject(closed);
    await expect(open(readOwnCase, "nobodys")).rejects.toMatchObject(closed);
  });

  test("what prevents it is logged, and the referral arrives", async () => {
    expect(await linkEvents(await arrives({ mobilePhone: undefined }))).toEqual([]);
    await portal.db.transaction().execute((tx) => insertStop(tx, portal.secrets, "+4540999999", portal.clock.now()));
    expect(await linkEvents(await arrives({ mobilePhone: "40 99 99 99" }))).toEqual([
      "Link til sagen er ikke sendt: Patienten har svaret STOP",
    ]);
    const unset = { ...portal, sms: { ...portal.sms, mode: "notConfigured" } } as TestPortal;
    const id = await aReferral(unset, dentist, { mobilePhone: "40 12 34 56" });
    expect(await linkEvents(id)).toEqual(["Link til sagen er ikke sendt: Ikke indstillet"]);
    await portal.as(admin, saveMessageText, {
      kind: "caseLink",
      channel: "sms",
      body: "Kære ((fornavn)): ((følglink))",
    });
    const nameless = await arrives({ firstName: "." });
    expect(await linkEvents(nameless)).toEqual([expect.stringMatching(/^Link til sagen er ikke sendt: Mangler/)]);
    expect((await portal.as(admin, readOpenReferral, { referralId: nameless })).toPatient!.links.goodUntil).toBeNull();
    expect(await messages()).toEqual([]);
  });

  test("waits while it is quiet, and stays at home once it is switched off or stopped", async () => {
    portal.clock.set("2026-12-01T21:30:00.000Z");
    await arrives();
    await work("sms");
    expect(await outcomes()).toEqual([["caseLink", "queued"]]);
    portal.clock.set("2026-12-02T07:30:00.000Z");
    await work("sms");
    expect(await outcomes()).toEqual([["caseLink", "sent"]]);
    await arrives();
    await switchTo(undefined);
    await work("sms");
    expect((await outcomes())[0]).toEqual(["caseLink", "withdrawn"]);
  });

  test("sent again after a failure, the newer link is the one that works", async () => {
    const id = await arrives();
    const first = await token();
    const { id: outboxId } = await portal.db.selectFrom("outbox").select("id").executeTakeFirstOrThrow();
    await portal.db
      .updateTable("outbox")
      .set({ outcome: "failed", code: 2, settledAt: "2026-12-01T09:00:00.000Z" })
      .execute();
    await portal.as(admin, resendFailure, { messageId: outboxId, channel: "sms" });
    expect((await outcomes())[0]).toEqual(["caseLink", "queued"]);
    await expect(open(readOwnCase, first)).rejects.toMatchObject(closed);
    expect((await open(readOwnCase, await token())).firstName).toBe("Åse");
    expect(await linkEvents(id)).toHaveLength(1);
  });
});
