import { beforeAll, expect, test } from "vitest";
import { choicesOf, type DrawnForm, formOfId, sentBy, type Values, valuesIn } from "../support/drawn-form";
import { ask as askPortal } from "../support/edited-portal";
import { accessPortal, wizard } from "./access-portal";

const { portal, post } = accessPortal();

let step: string;
let another: string;

beforeAll(async () => {
  const patient = { cpr6: "610190", cpr4: "1001", firstName: "Åse", lastName: "Kjær" };
  const address = { address: "Åvej 1", zip: "8000", city: "Aarhus", desiredTreatment: "Fjernelse af 38." };
  const saved = await post("sekretaer", wizard, { intent: "savePatient", formKey: "a-draft", ...patient, ...address });
  step = saved.location!;
  another = `${step.replace(/#.*/, "")}&ny=1`;
});

/** In two tabs of one secretary: every form has a ticket of its own. */
const ask = (address: string, sent?: [string, string][]) =>
  askPortal(portal, address, portal.cookies["sekretaer"]!, sent);

const draw = async (address: string, id: string) => formOfId((await ask(address)).text, id);

const send = (address: string, form: DrawnForm, intent: string, typed: Values = {}) =>
  ask(form.action || address, sentBy(form, typed, intent));

const stored = async () =>
  valuesIn(await draw(step, "saveReferrer"), ["referrerId", "sendNotification"], []) as Record<string, string>;

async function otherReferrers(): Promise<string[]> {
  const form = await draw(step, "saveReferrer");
  const { referrerId } = valuesIn(form, ["referrerId"], []);
  return choicesOf(form, "referrerId").filter((id) => id !== referrerId);
}

async function choose(referrerId: string) {
  expect((await send(step, await draw(step, "saveReferrer"), "saveReferrer", { referrerId })).status).toBe(303);
}

test("a referrer and a tick that are changed at once are both saved", async () => {
  const [first, next] = await otherReferrers();
  await choose(first!);
  const { sendNotification: before } = await stored();
  const turned = before === "on" ? "" : "on";
  const [one, other] = [await draw(step, "saveReferrer"), await draw(step, "saveReferrer")];
  expect((await send(step, one, "saveReferrer", { sendNotification: turned })).status).toBe(303);
  expect((await send(step, other, "saveReferrer", { referrerId: next! })).status).toBe(303);
  expect(await stored()).toEqual({ referrerId: next, sendNotification: turned });
});

test("of two who choose a referrer the second reads the first's, and presses again", async () => {
  const [ones, others] = await otherReferrers();
  const [one, other] = [await draw(step, "saveReferrer"), await draw(step, "saveReferrer")];
  expect((await send(step, one, "saveReferrer", { referrerId: ones! })).status).toBe(303);
  const refused = await send(step, other, "saveReferrer", { referrerId: others! });
  expect([refused.status, /Nu: [A-ZÆØÅ]/.test(refused.text)]).toEqual([409, true]);
  expect((await stored())["referrerId"]).toBe(ones);
  const answered = formOfId(refused.text, "saveReferrer");
  expect(valuesIn(answered, ["referrerId"], [])).toEqual({ referrerId: others });
  expect((await send(step, answered, "saveReferrer")).status).toBe(303);
  expect((await stored())["referrerId"]).toBe(others);
});

test("a new referrer does not replace one who was chosen meanwhile", async () => {
  const names = { firstName: "Nye", lastName: "Henviser" };
  const [next] = await otherReferrers();
  const old = await draw(another, "createReferrer");
  await choose(next!);
  const refused = await send(another, old, "createReferrer", names);
  expect([refused.status, /Intet er gemt: henviseren er nu [A-ZÆØÅ]/.test(refused.text)]).toEqual([409, true]);
  expect((await stored())["referrerId"]).toBe(next);
  const answered = formOfId(refused.text, "createReferrer");
  expect((await send(another, answered, "createReferrer")).status).toBe(303);
  expect((await stored())["referrerId"]).not.toBe(next);
});

test("texts that two change at once are both saved, and the other is named", async () => {
  const first = step.replace("trin=2", "trin=1");
  const formId = `step1-${/kladde=(\d+)/.exec(step)![1]}`;
  const [one, other] = [await draw(first, formId), await draw(first, formId)];
  expect((await send(first, one, "savePatient", { diagnose: "Retineret 38." })).status).toBe(303);
  const saved = await send(first, other, "savePatient", { comment: "Ring efter kl. 15." });
  expect(saved.status).toBe(303);
  expect((await ask(saved.location)).text).toContain("Samtidig ændret af en anden: Diagnose.");
  expect(valuesIn(await draw(first, formId), ["diagnose", "comment"], [])).toEqual({
    diagnose: "Retineret 38.",
    comment: "Ring efter kl. 15.",
  });
});
