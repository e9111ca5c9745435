import { expect, test } from "vitest";
import { choicesOf, formIn, formOfId, sentBy, type Values, valuesIn } from "../support/drawn-form";
import { ask, type Who } from "../support/edited-portal";
import { twoPeople } from "../support/portals/two-people";

const two = twoPeople();

/** Sends the form with what was typed, as `who`. */
async function opened(who: Who, address: string, intent: string) {
  const { text } = await ask(two, address, two.cookies[who]);
  const form = formIn(text, intent)!;
  return (typed: Values) => ask(two, form.action, two.cookies[who], sentBy(form, typed, intent));
}
const ofReferral = (part = "") => `/management/overview/${two.referralId}${part}`;
const REMINDERS = "/management/settings/paamindelser";
const rowOf = () =>
  two.db.selectFrom("referral").selectAll().where("id", "=", two.referralId).executeTakeFirstOrThrow();

test("an imported time that no page offers stays when only the price is changed", async () => {
  const imported = { operationDate: "2027-03-05", operationHour: 6, operationMinute: 17 };
  await two.db.updateTable("referral").set(imported).where("id", "=", two.referralId).execute();
  const send = await opened("admin", ofReferral("?ret=plan"), "editPlan");
  expect((await send({ price: "77" })).status).toBe(303);
  expect(await rowOf()).toMatchObject(imported);
});

test("a form sent twice does not conflict with what it has stored itself", async () => {
  const plan = await opened("admin", ofReferral("?ret=plan"), "editPlan");
  const reminders = await opened("admin", REMINDERS, "saveReminderSettings");
  const send = async () => [
    (await plan({ price: "1234,5" })).status,
    (await reminders({ days3: "", text3: "Uden dage er den ingen." })).status,
  ];
  expect([...(await send()), ...(await send())]).toEqual([303, 303, 303, 303]);
  expect((await reminders({ days3: "9", text3: "Med dage" })).status).toBe(303);
});

test("a decision after a conflict is saved, also the words of an earlier save", async () => {
  const send = await opened("kirurg", ofReferral("?ret=plan"), "editPlan");
  await send({ price: "100" });
  await (
    await opened("admin", ofReferral("?ret=plan"), "editPlan")
  )({ price: "200" });
  const refused = await send({ price: "300" });
  const form = formIn(refused.text, "editPlan")!;
  expect([refused.status, form.errors.get("editPlan-price")]).toEqual([409, "Nu: 200"]);
  await ask(two, form.action, two.cookies.kirurg, sentBy(form, { price: "100" }, "editPlan"));
  expect(Number((await rowOf()).price)).toBe(100);
});

test("the present value is taken by a press, and all else that was typed stays", async () => {
  const send = await opened("kirurg", ofReferral("?ret=plan"), "editPlan");
  await (
    await opened("admin", ofReferral("?ret=plan"), "editPlan")
  )({ operationDate: "2027-04-06", operationTimeHours: "09", price: "200" });
  const typed = { operationDate: "07.05.2027", operationTimeHours: "11", price: "300", surgeonComment: "Ring først." };
  const form = formIn((await send(typed)).text, "editPlan")!;
  expect(form.takes).toEqual(["operationDate", "operationTimeHours", "price"]);
  const first = await ask(two, form.action, two.cookies.kirurg, [
    ...sentBy(form, { ...typed, price: "200" }),
    ["takePresent", "operationDate"],
  ]);
  expect([first.status, formIn(first.text, "editPlan")!.takes], "nothing else differs any more").toEqual([200, []]);
  const taken = await ask(two, form.action, two.cookies.kirurg, [
    ...sentBy(form, typed),
    ["takePresent", "operationDate"],
  ]);
  const after = formIn(taken.text, "editPlan")!;
  expect(after.takes).toEqual(["price"]);
  expect([taken.status, valuesIn(after, Object.keys(typed), [])]).toEqual([
    409,
    { ...typed, operationDate: "06.04.2027", operationTimeHours: "09" },
  ]);
  expect(await rowOf()).toMatchObject({ operationDate: "2027-04-06", surgeonComment: null });
  expect((await ask(two, after.action, two.cookies.kirurg, sentBy(after, {}, "editPlan"))).status).toBe(303);
  expect(await rowOf()).toMatchObject({ operationDate: "2027-04-06", operationHour: 9, surgeonComment: "Ring først." });
  expect(Number((await rowOf()).price)).toBe(300);
});

test("a press that takes a value saves nothing, even without what the form held", async () => {
  const { price } = await rowOf();
  const form = formIn((await ask(two, ofReferral("?ret=plan"), two.cookies.admin)).text, "editPlan")!;
  const sent = sentBy(form, { price: "987" }, "editPlan").filter(([name]) => name !== "opened");
  const { status } = await ask(two, form.action, two.cookies.admin, [...sent, ["takePresent", "price"]]);
  expect([status, (await rowOf()).price]).toEqual([200, price]);
});

test("two people who choose different surgeons read at the field who is chosen now", async () => {
  const ids = await two.db.selectFrom("user").select("id").where("userName", "in", ["kirurg", "kirurg2"]).execute();
  await two.db.updateTable("referral").set({ surgeonId: null }).where("id", "=", two.referralId).execute();
  const first = await opened("admin", ofReferral(), "setSurgeon");
  await two.db.updateTable("referral").set({ surgeonId: ids[0]!.id }).where("id", "=", two.referralId).execute();
  const { text } = await ask(two, ofReferral(), two.cookies.admin);
  const other = choicesOf(formIn(text, "setSurgeon")!, "surgeonId").find((id) => id !== "" && id !== `${ids[0]!.id}`);
  const refused = await first({ surgeonId: other! });
  expect(refused.status).toBe(409);
  expect(formIn(refused.text, "setSurgeon")?.errors.get("setSurgeon-surgeonId")).toMatch(/Nu: \S/);
});

test("a refused form keeps the boxes that its person ticked", async () => {
  const form = formIn((await ask(two, REMINDERS, two.cookies.admin)).text, "saveReminderSettings")!;
  const excludedTypes = choicesOf(form, "excludedTypes").slice(0, 2);
  const typed = { excludedTypes, days1: "4", days2: "4" };
  const refused = await ask(two, REMINDERS, two.cookies.admin, sentBy(form, typed, "saveReminderSettings"));
  expect(refused.status).toBe(400);
  const shown = valuesIn(formIn(refused.text, "saveReminderSettings")!, ["excludedTypes"], ["excludedTypes"]);
  expect(shown).toEqual({ excludedTypes });
});

test("a form sent twice is answered alike where it is valid only with another's change", async () => {
  const first = await opened("admin", REMINDERS, "saveReminderSettings");
  const cleared = { days1: "", days2: "", days3: "" };
  expect((await first({ ...cleared, isOn: "", excludedTypes: [] })).status).toBe(303);
  const second = await opened("kirurg", REMINDERS, "saveReminderSettings");
  expect((await (await opened("admin", REMINDERS, "saveReminderSettings"))({ days1: "7" })).status).toBe(303);
  const send = async () => (await second({ isOn: "on" })).status;
  expect([await send(), await send()]).toEqual([303, 303]);
});

test("an old number that would be refused today stays, and stops nobody", async () => {
  const set = (values: { mobilePhone: string; email?: string }) =>
    two.db.updateTable("referral").set(values).where("id", "=", two.referralId).execute();
  await set({ mobilePhone: "12 34", email: "ikke en adresse" });
  const patient = await opened("admin", ofReferral("?ret=patient"), "editPatient");
  expect((await patient({ city: "Aarhus N" })).status).toBe(303);
  expect(await rowOf()).toMatchObject({ city: "Aarhus N", mobilePhone: "12 34", email: "ikke en adresse" });
  await set({ mobilePhone: "12 34", email: "patient@eksempel.dk" });
  const callUp = await opened("admin", ofReferral("?ret=patient"), "updateCallUp");
  expect((await callUp({ incallComment: "Ring først" })).status).toBe(303);
  expect(await rowOf()).toMatchObject({ callUpComment: "Ring først", mobilePhone: "12 34" });
  const wizard = `/management/henvisning-tandlaeger?kladde=${two.referralId}&trin=1`;
  const step = formOfId((await ask(two, wizard, two.cookies.admin)).text, `step1-${two.referralId}`);
  const send = (typed: Values) => ask(two, step.action, two.cookies.admin, sentBy(step, typed, "savePatient"));
  expect((await send({ diagnose: "Retineret 38." })).status).toBe(303);
  expect(await rowOf()).toMatchObject({ diagnose: "Retineret 38.", mobilePhone: "12 34" });
  const refused = await send({ mobilePhone: "12 3" });
  expect([refused.status, refused.text.includes("Skriv et mobilnummer")]).toEqual([400, true]);
});

test("an old number stands in a form that is refused for something else", async () => {
  await two.db.updateTable("referral").set({ mobilePhone: "12 34" }).where("id", "=", two.referralId).execute();
  const send = await opened("admin", ofReferral("?ret=patient"), "editPatient");
  const refused = await send({ email: "ikke en adresse" });
  expect(refused.status).toBe(400);
  const shown = valuesIn(formIn(refused.text, "editPatient")!, ["mobilePhone", "email"], []);
  expect(shown).toEqual({ mobilePhone: "12 34", email: "ikke en adresse" });
});

test("a text of several lines is stored alike by whoever saves it", async () => {
  const send = async (typed: Values) => (await opened("admin", ofReferral("?ret=plan"), "editPlan"))(typed);
  expect((await send({ surgeonComment: "Første linje\nanden linje" })).status).toBe(303);
  expect((await rowOf()).surgeonComment).toBe("Første linje\nanden linje");
});
