import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { addDays } from "date-fns";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { editPatient, editPlan } from "~/features/referrals/details/edit-referral.server";
import { CLOSED } from "~/features/referrals/model/statuses";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { closed, patientLinksPortal, SMS } from "../../../tests/support/portals/patient-links-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readLinkedRadiographs } from "./open-patient-link.server";
import { requestNewLink, revokeFileLinks } from "./operations.server";

const EBOKS = 0;

forEachDatabase("links to a patient's files", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { addImage, send, work, messages, token, open } = patientLinksPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });

  test("reports the reason when there are no images, no mobile phone or no e-Boks", async () => {
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er ingen røntgenbilleder at sende." });
    await addImage("48.jpg");
    await portal.db
      .updateTable("referral")
      .set({ mobilePhone: null, patientWithoutEboks: true })
      .where("id", "=", referralId)
      .execute();
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er intet mobilnummer." });
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text: "Ikke tilmeldt e-Boks." });
    expect(await messages()).toEqual([]);
  });

  test("a link is sent after the treatment too", async () => {
    await addImage("48.jpg");
    const { statusVersion: version } = await portal.db
      .selectFrom("referral")
      .select("statusVersion")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, setStatus, {
      referralId,
      status: CLOSED,
      seenVersion: version,
      isDeleteAttachments: "false",
    });
    await send(SMS);
    await work("sms");
    expect((await messages())[0]?.outcome).toBe("sent");
  });

  test("a newer link replaces the older one, whose queued message is withdrawn", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const first = await token();
    await send(SMS);
    const second = await token();
    await expect(open(readLinkedRadiographs, first)).rejects.toMatchObject(closed);
    expect((await open(readLinkedRadiographs, second)).files).toHaveLength(1);
    await work("sms");
    await work("sms");
    expect((await messages()).map(({ outcome }) => outcome)).toEqual(["sent", "withdrawn"]);
  });

  test("revoked links open nothing, and their queued messages are withdrawn", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await portal.as(admin, revokeFileLinks, { referralId });
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    expect((await messages())[0]?.outcome).toBe("withdrawn");
    portal.clock.advance({ days: 40 });
    await portal.as({ kind: "anonymous" }, requestNewLink, { token: link, purpose: "radiographLink" });
    expect(await messages()).toHaveLength(1);
    expect((await portal.as(admin, readOpenReferral, { referralId })).toPatient!.links.goodUntil).toBeNull();
  });

  test("an expired link is exchanged once a day, for the number that stands there now", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const old = await token();
    const ask = (asked: string) =>
      portal.as({ kind: "anonymous" }, requestNewLink, { token: asked, purpose: "radiographLink" });
    const early = await ask(old);
    expect(await messages()).toHaveLength(1);
    portal.clock.set(addDays(new Date("2026-12-01T09:00:00.000Z"), 31).toISOString());
    await portal.db.updateTable("referral").set({ mobilePhone: "40 99 99 99" }).where("id", "=", referralId).execute();
    await expect(open(readLinkedRadiographs, old)).rejects.toMatchObject(closed);
    const [answer, again, guess] = [await ask(old), await ask(old), await ask("nobodys")];
    expect([early, answer, again, guess].map(({ to }) => to?.replace(/tk=[\w-]+/, "tk=…"))).toEqual(
      Array(4).fill("/xr?tk=…&bedt=1"),
    );
    expect(await messages()).toHaveLength(2);
    expect((await messages())[0]).toMatchObject({ to: "+4540999999", kind: "radiographLink" });
    expect((await open(readLinkedRadiographs, await token())).files).toHaveLength(1);
  });

  test("a changed CPR number revokes all links and withdraws queued messages", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    const { version } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, editPatient, {
      referralId,
      seenVersion: version,
      cpr6: "620180",
      cpr4: "9876",
      firstName: "Anna",
      lastName: "Andersen",
      address: "Åvej 2",
      zip: "8000",
      city: "Aarhus",
      patientMobilePhone: "40 12 34 56",
    });
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    expect((await messages())[0]?.outcome).toBe("withdrawn");
  });

  test("the plan's checkbox sends one link and is cleared; obstacles are reported", async () => {
    const version = async () =>
      await portal.db
        .selectFrom("referral")
        .select(["version", "sendRadiographToPatient"])
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
    const save = async (seenVersion: number) =>
      (await portal.as(admin, editPlan, { referralId, seenVersion, sendRadiographToPatient: "on" })).flash?.text;
    expect(await save((await version()).version)).toBe("Der er ingen røntgenbilleder at sende til patienten.");
    await addImage("48.jpg");
    const before = await version();
    expect(await save(before.version)).toBe("Patienten får et link til røntgenbillederne (e-Boks).");
    expect(await version()).toEqual({ ...before, sendRadiographToPatient: false });
    expect(await messages()).toHaveLength(1);
    await portal.db
      .updateTable("referral")
      .set({ mobilePhone: null, patientWithoutEboks: true })
      .where("id", "=", referralId)
      .execute();
    expect(await save((await version()).version)).toBe(
      "Røntgenbillederne kan ikke sendes til patienten (e-Boks: Ikke tilmeldt e-Boks; SMS: Der er intet mobilnummer).",
    );
  });
});
