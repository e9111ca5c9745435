import type { ReferralChanges } from "../factories/referrals";
import type { Page } from "@playwright/test";
import { addDays } from "date-fns";
import { issuePatientLink } from "../../app/access/patient-links.server";
import { operationMoment } from "../../app/features/referrals/model/operation-moment";
import { inTransaction } from "../../db/connection.server";
import { answerTo, expect, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

/** Who submits first on pages opened before; `together`: concurrently. */
const orders = ["one", "other", "together"] as const;

async function pressInOrder(
  order: (typeof orders)[number],
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
) {
  if (order === "together") return void (await Promise.all([one(), other()]));
  for (const press of order === "one" ? [one, other] : [other, one]) await press();
}

let hours = 0;

async function aPatient(portal: RunningPortal, changes: ReferralChanges): Promise<number> {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  await portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set({ mobilePhone: "40 12 34 56", ...changes })
      .where("id", "=", id)
      .execute(),
  );
  return id;
}

async function aTime(portal: RunningPortal, typeId: number) {
  const time = {
    operationDate: addDays(new Date(), 9).toISOString().slice(0, 10),
    operationHour: 7 + (hours % 13),
    operationMinute: 5 * (Math.floor(hours / 13) % 12),
  };
  hours += 1;
  const id = await aPatient(portal, { status: 6, treatmentTypeId: typeId, ...time });
  const token = await portal.withDatabase((db) =>
    inTransaction(db, (tx) =>
      issuePatientLink(
        tx,
        { purpose: "appointmentAnswer", referralId: id, operationMoment: operationMoment(time)! },
        { now: new Date(), expiresAt: addDays(new Date(), 10) },
      ),
    ),
  );
  return { id, link: `/aftale?tk=${token}` };
}

/** A cancelled time with patients waiting for one. */
async function aFreedTime(portal: RunningPortal, waiting: string[]) {
  const name = `Prøvetype ${waiting.join(" ")}`;
  const inserted = await portal.withDatabase((db) =>
    db
      .insertInto("treatmentType")
      .values({
        name,
        nameSort: name.toLowerCase(),
        externalAppointmentIds: "",
        patientRecommendationLink: null,
        deletedAt: null,
      })
      .executeTakeFirstOrThrow(),
  );
  const typeId = Number(inserted.insertId);
  const { id, link } = await aTime(portal, typeId);
  for (const lastName of waiting)
    await aPatient(portal, { status: 12, treatmentTypeId: typeId, firstName: "Venter", lastName });
  const phone = await portal.pageFor(null);
  await phone.goto(`${link}&afbud=1`);
  await answerTo(phone, () => phone.getByRole("button", { name: "Ja, meld afbud" }).click());
  await expect(phone.getByText(/Tiden er aflyst/)).toBeVisible();
  return { id, link, phone };
}

const freedTimes = (page: Page) => page.getByRole("complementary", { name: "Ledige tider" });

async function openFreedTimes(portal: RunningPortal, userName: string): Promise<Page> {
  const page = await portal.pageFor(userName);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/management/sms");
  return page;
}

const offerTo = (page: Page, lastName: string) =>
  answerTo(page, () =>
    freedTimes(page)
      .getByRole("listitem")
      .filter({ hasText: `Venter ${lastName}` })
      .getByRole("button", { name: "Tilbyd tiden" })
      .click(),
  );

for (const order of orders) {
  test(`two of staff offer one time to two patients (${order}): one offer is made, the other gets a conflict`, async ({
    portal,
  }) => {
    const names = [`Birk ${order}`, `Carl ${order}`] as const;
    await aFreedTime(portal, [...names]);
    const [one, other] = [await openFreedTimes(portal, "admin"), await openFreedTimes(portal, "kirurg")];
    await pressInOrder(
      order,
      () => offerTo(one, names[0]),
      () => offerTo(other, names[1]),
    );
    const done = [one, other].map((page) => page.getByText(/Tiden er tilbudt nr\. \d+/).first());
    const isOnes = await done[0]!.isVisible();
    if (order !== "together") expect(isOnes).toBe(order === "one");
    await expect(done[isOnes ? 0 : 1]!).toBeVisible();
    await expect(done[isOnes ? 1 : 0]!).toBeHidden();
    await expect((isOnes ? other : one).getByRole("alert")).toHaveText(
      "Tiden er allerede tilbudt en anden patient, som ikke har svaret endnu.",
    );
    await one.goto("/management/sms");
    await expect(freedTimes(one).getByText(`Tilbudt Venter ${names[isOnes ? 0 : 1]}`)).toBeVisible();
    await expect(freedTimes(one).getByText(`Venter ${names[isOnes ? 1 : 0]}`)).toHaveCount(0);
  });

  test(`staff offer a time while its patient comes after all (${order}): one gets it, the other a conflict`, async ({
    portal,
  }) => {
    const name = `Dorte ${order}`;
    const { phone } = await aFreedTime(portal, [name]);
    const staff = await openFreedTimes(portal, "admin");
    await pressInOrder(
      order,
      () => offerTo(staff, name),
      () => answerTo(phone, () => phone.getByRole("button", { name: "Jeg kommer alligevel" }).click()),
    );
    const isOffered = await staff
      .getByText(/Tiden er tilbudt nr\. \d+/)
      .first()
      .isVisible();
    if (order !== "together") expect(isOffered).toBe(order === "one");
    if (isOffered) await expect(phone.getByText(/Tiden er givet videre/)).toBeVisible();
    else {
      await expect(phone.getByText("Tak. Vi har noteret, at du kommer.")).toBeVisible();
      await expect(staff.getByRole("alert")).toHaveText("Tiden er ikke længere ledig.");
    }
  });
}

test("two phones cancel one appointment at once: it is cancelled once", async ({ portal }) => {
  const { id, link } = await aTime(portal, 1);
  const phones = [await portal.pageFor(null), await portal.pageFor(null)];
  for (const phone of phones) await phone.goto(`${link}&afbud=1`);
  await Promise.all(
    phones.map((phone) => answerTo(phone, () => phone.getByRole("button", { name: "Ja, meld afbud" }).click())),
  );
  for (const phone of phones) await expect(phone.getByText(/Tak for beskeden\. Tiden er aflyst/)).toBeVisible();
  const counts = await portal.withDatabase(async (db) => ({
    answers: await db.selectFrom("appointmentAnswer").select("id").where("referralId", "=", id).execute(),
    times: await db.selectFrom("freedTime").select("id").where("referralId", "=", id).execute(),
    replies: await db
      .selectFrom("outbox")
      .select("id")
      .where("referralId", "=", id)
      .where("kind", "=", "reminderReply")
      .execute(),
  }));
  expect(Object.values(counts).map((rows) => rows.length)).toEqual([1, 1, 1]);
});
