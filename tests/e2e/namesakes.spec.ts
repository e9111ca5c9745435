import { insertUser } from "../../app/features/accounts/store.server";
import { insertClinic } from "../../app/features/directory/store.server";
import { expect, expectAccessible, press, type RunningPortal, settled, test } from "./portal";
import { aReferral } from "./referrals";

test.use({ matrix: "with script" });

let count = 0;

async function twins(portal: RunningPortal) {
  const name = `Tvilling ${process.pid} ${(count += 1)}`;
  const person = { passwordHash: null, dentistExternalId: null, clinicIds: [], creatorId: null };
  const clinic = { name, zip: "8000", city: "Aarhus", phone: "10 00 00 01", email: "klinik@eksempel.dk" };
  return portal.withDatabase(async (db) => {
    for (const address of ["Åvej 1", "Torvet 2"]) await insertClinic(db, { ...clinic, address }, new Date());
    const ids: number[] = [];
    for (const which of ["en", "to"]) {
      const email = `${which}.${name.replaceAll(" ", ".").toLowerCase()}@eksempel.dk`;
      const surgeon = { ...person, firstName: "Kirurg", lastName: name, email, userName: email };
      ids.push(await insertUser(db, { ...surgeon, roles: ["Surgeon"] }, new Date()));
    }
    return { name, surgeonIds: ids };
  });
}

test("of clinics of one name each is offered with its address", async ({ portal, javaScriptEnabled }) => {
  const { name } = await twins(portal);
  const page = await portal.pageFor("admin");
  await page.goto("/management/users/opret");
  await settled(page);
  const field = page.locator("#createUser-clinicId");
  if (javaScriptEnabled) {
    await field.fill(name);
    const options = page.getByRole("listbox", { name: "Klinik" }).getByRole("option");
    await expect(options).toHaveText([`${name}Åvej 1, 8000 Aarhus`, `${name}Torvet 2, 8000 Aarhus`]);
    await options.last().click();
    await expect(page.locator("#createUser-clinicId-hint")).toHaveText("Torvet 2, 8000 Aarhus");
    await expect(field).toHaveAccessibleDescription(/Torvet 2, 8000 Aarhus/);
    await expectAccessible(page);
  } else {
    await expect(field.getByRole("option", { name })).toHaveText([
      `${name} · Åvej 1, 8000 Aarhus`,
      `${name} · Torvet 2, 8000 Aarhus`,
    ]);
    await field.selectOption({ label: `${name} · Torvet 2, 8000 Aarhus` });
  }
  const userName = `tvilling${process.pid}.${javaScriptEnabled ? "m" : "u"}${count}`;
  await page.getByLabel("Fornavn").fill("Øjvind");
  await page.getByLabel("Efternavn").fill("Nyberg");
  await page.getByLabel("Brugernavn").fill(userName);
  await page.getByLabel("E-mail").fill(`${userName}@eksempel.dk`);
  await press(page, "createUser");
  await expect(page.getByText("Øjvind Nyberg er oprettet.").first()).toBeVisible();
  const addresses = await portal.withDatabase((db) =>
    db
      .selectFrom("userClinic")
      .innerJoin("user", "user.id", "userClinic.userId")
      .innerJoin("clinic", "clinic.id", "userClinic.clinicId")
      .select("clinic.address")
      .where("user.userName", "=", userName)
      .execute(),
  );
  expect(addresses).toEqual([{ address: "Torvet 2" }]);
});

test("of surgeons of one name each is offered with their e-mail", async ({ portal }) => {
  const { name, surgeonIds } = await twins(portal);
  const { id } = await aReferral(await portal.pageFor("tandlaege"));
  const page = await portal.pageFor("admin");
  await page.goto(`/management/overview/${id}?ret=plan`);
  await settled(page);
  const options = page.locator("#editPlan-surgeonId").getByRole("option", { name });
  await expect(options).toHaveText([/^Kirurg .* · en\..*@eksempel\.dk$/, /^Kirurg .* · to\..*@eksempel\.dk$/]);
  await page.locator("#editPlan-surgeonId").selectOption({ label: (await options.last().textContent())! });
  await press(page, "editPlan");
  await expect
    .poll(() =>
      portal.withDatabase(
        async (db) =>
          (await db.selectFrom("referral").select("surgeonId").where("id", "=", id).executeTakeFirstOrThrow())
            .surgeonId,
      ),
    )
    .toBe(surgeonIds[1]);
  await page.goto(`/management/overview/${id}`);
  await expect(page.locator("#setSurgeon-surgeonId").locator("option:checked")).toHaveText(/ · to\..*@eksempel\.dk$/);
});
