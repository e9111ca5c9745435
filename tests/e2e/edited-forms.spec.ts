import type { ReferralChanges } from "../factories/referrals";
import type { Page } from "@playwright/test";
import { expect, expireSession, press, readAnew, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "without script" });

const OVERVIEW = "/management/overview";

const open = async (page: Page, address: string) => {
  await page.goto(address);
  await settled(page);
};

const columnsOf = (portal: RunningPortal, id: number) =>
  portal.withDatabase((db) => db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow());

/** What a colleague's save leaves behind. */
const change = (portal: RunningPortal, id: number, columns: ReferralChanges) =>
  portal.withDatabase((db) =>
    db
      .updateTable("referral")
      .set(columns)
      .set((eb) => ({ version: eb("version", "+", 1), statusVersion: eb("statusVersion", "+", 1) }))
      .where("id", "=", id)
      .execute(),
  );

test.describe("on Back", () => {
  /** Each row's status as shown, beside the stored one; `chosen` was chosen in its own row and is not saved. */
  async function expectStoredStatuses(portal: RunningPortal, page: Page, chosen: { id: number; status: number }) {
    const wrong = async () => {
      const shown = await page
        .locator("tr[id^=r]:has(select[name=status])")
        .evaluateAll((rows) =>
          rows.map((row) => [
            Number(row.id.slice(1)),
            Number(row.querySelector<HTMLSelectElement>("[name=status]")!.value),
          ]),
        );
      const ids = shown.map(([id]) => id!);
      const rows = await portal.withDatabase((db) =>
        db.selectFrom("referral").select(["id", "status"]).where("id", "in", ids).execute(),
      );
      const stored = new Map(rows.map(({ id, status }) => [id, status]));
      const differing = shown.filter(
        ([id, status]) => status !== stored.get(id!) && !(id === chosen.id && status === chosen.status),
      );
      return [shown.length > 10, differing];
    };
    // With script the list is read anew after Back has shown the page.
    await expect.poll(wrong).toEqual([true, []]);
  }

  for (const way of ["a row's own page", "another document"] as const) {
    test(`from ${way} each row shows what is stored after the list has moved`, async ({ portal }) => {
      const dentist = await portal.pageFor("tandlaege");
      const ids: number[] = [];
      for (const status of [1, 2, 3, 5, 6]) {
        const { id } = await aReferral(dentist);
        await change(portal, id, { status });
        ids.push(id);
      }
      const page = await portal.pageFor("admin");
      await open(page, OVERVIEW);
      const row = page.locator(`#r${ids[4]}`);
      // A choice that is not saved stays in no other row.
      await page.locator(`#r${ids[1]} select[name=status]`).selectOption("12");
      if (way === "another document") await open(page, "/management/draft-visits");
      else await row.getByRole("link").first().click();
      await settled(page);
      await change(portal, ids[3]!, { status: 7 });
      await page.goBack();
      await settled(page);
      await expectStoredStatuses(portal, page, { id: ids[1]!, status: 12 });
    });
  }

  test("a plan shows what a colleague saved meanwhile", async ({ portal }) => {
    const { id } = await aReferral(await portal.pageFor("tandlaege"));
    await change(portal, id, { operationDate: "2027-03-01", operationHour: 9, operationMinute: 15 });
    const page = await portal.pageFor("admin");
    await open(page, `${OVERVIEW}/${id}?ret=plan`);
    await page.locator("[name=operationTimeHours]").selectOption("10");
    await page.locator("[name=price]").fill("77");
    await open(page, "/management/draft-visits");
    await change(portal, id, { operationDate: "2027-03-02", operationHour: 15, operationMinute: 30, price: "4850" });
    await page.goBack();
    await settled(page);
    await expect(page.locator("[name=operationDate]")).toHaveValue("02.03.2027");
    await expect(page.locator("[name=operationTimeHours]")).toHaveValue("15");
    await expect(page.locator("[name=operationTimeMinutes]")).toHaveValue("30");
    await expect(page.locator("[name=price]"), "typed before, and not over what is stored now").toHaveValue("4.850");
  });
});

test.describe("one person on one page", () => {
  async function openCase(portal: RunningPortal, columns: ReferralChanges = {}) {
    const { id } = await aReferral(await portal.pageFor("tandlaege"), { mobilePhone: "10 67 74 67" });
    await change(portal, id, { status: 3, ...columns });
    const page = await portal.pageFor("admin");
    await open(page, `${OVERVIEW}/${id}`);
    return { id, page };
  }
  const callUp = (page: Page) => page.locator(`form:has([name=incallComment])`);
  const unfold = async (page: Page) => {
    const summary = page.locator("details:has(form [name=incallComment]) > summary").first();
    if ((await summary.count()) > 0 && !(await callUp(page).isVisible())) await summary.click();
  };
  const sms = (portal: RunningPortal, id: number) =>
    portal.withDatabase((db) =>
      db
        .selectFrom("outbox")
        .select(["channel", "kind"])
        .where("referralId", "=", id)
        .where("kind", "=", "callUp")
        .execute(),
    );

  test("a corrected mobile number is the one that the call-up uses and keeps", async ({ portal }) => {
    const { id, page } = await openCase(portal);
    await unfold(page);
    // The form is begun before the number is corrected, so that it is not simply drawn anew.
    await callUp(page).locator("[name=incallComment]").fill("Ring før kl. 12");
    await portal.withDatabase((db) =>
      db
        .updateTable("referral")
        .set((eb) => ({ mobilePhone: "10 20 30 44", version: eb("version", "+", 1) }))
        .where("id", "=", id)
        .execute(),
    );
    await callUp(page).locator("[name=incallType][value='2']").check();
    await press(page, "sendCallUp");
    await expect(page.getByText("Indkaldelsen er sat i kø.").first()).toBeVisible();
    expect((await columnsOf(portal, id)).mobilePhone).toBe("10 20 30 44");
    expect(await sms(portal, id)).toHaveLength(1);
  });

  test("an untouched field of a begun form follows the page", async ({ portal, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "without JavaScript the page is not read anew");
    const { id, page } = await openCase(portal);
    await unfold(page);
    await callUp(page).locator("[name=incallComment]").fill("Ring før kl. 12");
    await callUp(page).locator("[name=incallComment]").blur();
    await change(portal, id, { mobilePhone: "10 20 30 44" });
    await readAnew(page);
    await expect(callUp(page).locator("[name=patientMobilePhone]")).toHaveValue("10 20 30 44");
    await expect(callUp(page).locator("[name=incallComment]")).toHaveValue("Ring før kl. 12");
  });

  test("a saved form and what it follows stay when another form is sent", async ({ portal, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "without JavaScript each answer is a new page");
    const { id, page } = await openCase(portal);
    await unfold(page);
    const field = (name: string) => callUp(page).locator(`[name=${name}]`);
    await field("patientCity").fill("Aarhus N");
    await change(portal, id, { mobilePhone: "10 20 30 44" });
    await press(page, "updateCallUp");
    await page.locator(".ref-status select[name=status]").selectOption("5");
    await press(page, "setStatus");
    await expect(field("patientMobilePhone")).toHaveValue("10 20 30 44");
    await field("patientCity").fill("Aarhus V");
    await press(page, "updateCallUp");
    expect(await columnsOf(portal, id)).toMatchObject({ city: "Aarhus V", mobilePhone: "10 20 30 44" });
  });

  test("a field that a choice shows follows with it", async ({ portal, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "without JavaScript the page is not read anew");
    const { id, page } = await openCase(portal, { visitType: "simple", externalId: null });
    await open(page, `${OVERVIEW}/${id}?ret=henvisning`);
    const form = page.locator("form#editReferralDetails");
    await change(portal, id, { visitType: "edi", externalId: "4711" });
    await page.locator("body").click({ position: { x: 1, y: 1 } });
    await readAnew(page);
    await expect(form.locator("[name=visitType][value=edi]")).toBeChecked();
    await expect(form.locator("[name=externalId]")).toHaveValue("4711");
  });

  test("saving the status and sending the call-up do not conflict", async ({ portal }) => {
    const { id, page } = await openCase(portal, { status: 2 });
    await unfold(page);
    await page.locator(".ref-status select[name=status]").selectOption("3");
    await press(page, "setStatus");
    await unfold(page);
    await callUp(page).locator("[name=incallType][value='2']").check();
    await press(page, "sendCallUp");
    await expect(page.getByText("Indkaldelsen er sat i kø.").first()).toBeVisible();
    expect(await sms(portal, id)).toHaveLength(1);
  });
});

test("a town that was typed is not saved with another's postal code", async ({ portal, javaScriptEnabled }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"), { zip: "8000", city: "Aarhus C" });
  const page = await portal.pageFor("admin");
  await open(page, `${OVERVIEW}/${id}?ret=patient`);
  const form = page.locator("form:has([name=cpr6])");
  await form.locator("[name=city]").fill("Aarhus N");
  await form.locator("[name=city]").blur();
  await change(portal, id, { zip: "5000" });
  if (javaScriptEnabled) await readAnew(page);
  await expect(form.locator("[name=zip]")).toHaveValue("8000");
  await press(page, "editPatient");
  await expect(form).toContainText("Nu: 5000");
  expect(await columnsOf(portal, id)).toMatchObject({ zip: "5000", city: "Aarhus C" });
});

test("a referrer whom a colleague has chosen stays when a box beside is ticked", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await open(page, `/management/henvisning-tandlaeger?kladde=${id}&trin=2`);
  const box = page.getByLabel("Send besked til henviseren, når sagens status ændres");
  const wasTicked = await box.isChecked();
  await box.setChecked(!wasTicked);
  const { id: colleagues } = await portal.withDatabase((db) =>
    db.selectFrom("user").select("id").where("userName", "=", "tandlaege2").executeTakeFirstOrThrow(),
  );
  await change(portal, id, { referrerId: colleagues });
  await press(page, "saveReferrer");
  await expect(page).toHaveURL(/trin=3/);
  expect(await columnsOf(portal, id)).toMatchObject({
    referrerId: colleagues,
    sendNotificationToDentist: !wasTicked,
  });
});

test.describe("without JavaScript", () => {
  test.use({ matrix: null });

  test("after signing in again a colleague's number stays and the typed text is saved", async ({ portal }) => {
    const { id } = await aReferral(await portal.pageFor("tandlaege"), { mobilePhone: "10 38 71 05" });
    const page = await portal.pageFor("admin");
    await open(page, `${OVERVIEW}/${id}?ret=patient`);
    await page.locator("[name=address]").fill("Havnegade 3");
    await change(portal, id, { mobilePhone: "10 11 22 33" });
    await expireSession(portal, page);
    test.skip(await page.evaluate(() => "__remixContext" in window), "with JavaScript the form stays on the page");
    await page.locator('button[value="editPatient"]').first().click();
    await page.getByLabel("Brugernavn").fill("admin");
    await page.getByLabel("Adgangskode", { exact: true }).fill("Demo1234");
    await page.getByRole("button", { name: "Log ind", exact: true }).click();
    await settled(page);
    await expect(page.locator("[name=address]")).toHaveValue("Havnegade 3");
    await press(page, "editPatient");
    expect(await columnsOf(portal, id)).toMatchObject({ mobilePhone: "10 11 22 33", address: "Havnegade 3" });
  });
});

test("two people who change the same field read what is stored now, and decide", async ({ portal }) => {
  const { id } = await aReferral(await portal.pageFor("tandlaege"), { mobilePhone: "10 38 71 05" });
  const page = await portal.pageFor("admin");
  await open(page, `${OVERVIEW}/${id}?ret=patient`);
  await page.locator("[name=mobilePhone]").fill("10 55 55 55");
  await change(portal, id, { mobilePhone: "10 11 22 33", phone: "10 99 99 99" });
  await press(page, "editPatient");
  await expect(page.getByText("Nu: 10 11 22 33").first()).toBeVisible();
  await expect(page.locator("[name=mobilePhone]")).toHaveValue("10 55 55 55");
  await expect(page.locator("[name=phone]")).toHaveValue("10 99 99 99");
  expect((await columnsOf(portal, id)).mobilePhone).toBe("10 11 22 33");
  await press(page, "editPatient");
  expect(await columnsOf(portal, id)).toMatchObject({ mobilePhone: "10 55 55 55", phone: "10 99 99 99" });
});

test.describe("settings", () => {
  const REMINDERS = "/management/settings/paamindelser";

  test("the second administrator keeps the first one's change", async ({ portal }) => {
    const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
    await open(first, REMINDERS);
    await open(second, REMINDERS);
    await first.getByLabel("Send påmindelser", { exact: true }).check();
    await press(first, "saveReminderSettings");
    await second.locator("[name=days3]").fill("3");
    await press(second, "saveReminderSettings");
    await expect(second.getByText("Påmindelserne er gemt.").first()).toBeVisible();
    await open(first, REMINDERS);
    await expect(first.getByLabel("Send påmindelser", { exact: true })).toBeChecked();
    await expect(first.locator("[name=days3]")).toHaveValue("3");
    await first.getByLabel("Send påmindelser", { exact: true }).uncheck();
    await press(first, "saveReminderSettings");
  });

  test("two administrators who change the same field read what is stored", async ({ portal }) => {
    const [first, second] = [await portal.pageFor("admin"), await portal.pageFor("kirurg")];
    const address = "/management/settings/navne-og-frister";
    await open(first, address);
    await open(second, address);
    await first.locator("[name=statusActiveDays]").fill("10");
    await press(first, "saveNamesAndDeadlines");
    await second.locator("[name=statusActiveDays]").fill("20");
    await press(second, "saveNamesAndDeadlines");
    await expect(second.getByText("Nu: 10").first()).toBeVisible();
    await expect(second.locator("[name=statusActiveDays]")).toHaveValue("20");
    await press(second, "saveNamesAndDeadlines");
    await open(first, address);
    await expect(first.locator("[name=statusActiveDays]")).toHaveValue("20");
    await first.locator("[name=statusActiveDays]").fill("");
    await press(first, "saveNamesAndDeadlines");
  });
});
