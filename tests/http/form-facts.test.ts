import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { type FactName, facts, factNames, factText } from "~/features/referrals/model/facts";
import { readPdfText } from "~/files/pdf/pdf-text.server";
import { apiName } from "~/http/api/calls/fact-shapes.server";
import { paths } from "~/paths";
import { type DrawnForm, decoded, drawnForms, sentBy, type Values, valuesIn } from "../support/drawn-form";
import { ask as askPortal } from "../support/edited-portal";
import { accessPortal, wizard } from "./access-portal";

const { portal, post } = accessPortal();

const ask = (address: string, sent?: [string, string][]) => askPortal(portal, address, portal.cookies["admin"]!, sent);

/** The form of step 1, whose id is its key. */
async function drawStep(address: string): Promise<DrawnForm> {
  const forms = drawnForms((await ask(address)).text);
  return forms.find(({ controls }) => controls.some(({ name }) => name === "cpr6"))!;
}

/** As its control says it. */
function typed(name: FactName): string {
  const fact = facts[name];
  if (fact.kind === "choice") return String(fact.choices.at(-1)!.value);
  if (fact.kind === "word") return fact.choices.at(-1)!.value;
  if (fact.kind === "yesNo") return "yes";
  if (fact.kind === "phone" || fact.kind === "mobilePhone") return "40 12 34 56";
  if (fact.kind === "teeth") return "36, 48";
  return "isNumeric" in fact ? "57900123" : `Ord om ${name}`;
}

const patient = { cpr6: "610191", firstName: "Åse", lastName: "Kjær" };

const otherPayment = { 1: "region", 3: "insurance" } as const;

/** Facts that this payment keeps. */
const ofPayment = (payment: keyof typeof otherPayment) =>
  factNames.filter((name) => !("of" in facts[name] && facts[name].of === otherPayment[payment]));

/** As it is shown. */
function wordsOf(name: FactName, value: string): string {
  const { kind, label } = facts[name];
  return kind === "yesNo" ? label : factText(name, kind === "choice" ? Number(value) : value)!;
}

async function printedText(id: number): Promise<string> {
  const file = path.join(portal.dataDir, `facts-${id}.pdf`);
  const answer = await fetch(`${portal.origin}${paths.referralPdf(id)}`, {
    headers: { cookie: portal.cookies["admin"]! },
  });
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const read = await readPdfText(file);
  return "text" in read ? read.text.replace(/\s+/g, " ") : "";
}

const dentist = () =>
  portal.inDatabase(
    (database) => database.prepare("select id from user where user_name = 'tandlaege'").get() as { id: number },
  );

test.each([
  [1, "1001"],
  [3, "1002"],
] as const)("every fact of payment %i is drawn, kept, answered and shown", async (payment, cpr4) => {
  const names = ofPayment(payment);
  const said: Values = {
    ...Object.fromEntries(names.map((name) => [name, typed(name)])),
    paymentType: String(payment),
    approvalType: "1",
  };
  const address = `${wizard.replace(/=.*/, "")}=facts-${cpr4}`;
  const saved = await ask(address, sentBy(await drawStep(address), { ...patient, cpr4, ...said }, "savePatient"));
  const id = Number(/kladde=(\d+)/.exec(saved.location)?.[1]);
  const drawn = await drawStep(paths.wizardStep(id, 1));
  expect(valuesIn(drawn, names, [])).toEqual(Object.fromEntries(names.map((name) => [name, said[name]])));

  await post("admin", wizard, { intent: "saveReferrer", referralId: id, referrerId: dentist().id });
  await post("admin", wizard, { intent: "sendReferral", referralId: id, formKey: "send", radiographsSendType: 3 });
  const answers = await Promise.all(
    [`/api/Visits/${id}`, `/api/next/Visits/${id}/clinical-facts`].map((call) => ask(call)),
  );
  const answered = Object.assign({}, ...answers.map(({ text }) => JSON.parse(text))) as Record<string, unknown>;
  for (const name of names)
    expect(String(answered[apiName(name)]), name).toBe(said[name] === "yes" ? "true" : said[name]);

  const shown = decoded((await ask(paths.referral(id))).text);
  const printed = await printedText(id);
  for (const name of names) {
    const words = wordsOf(name, String(said[name]));
    expect(shown, name).toContain(words);
    // The EDI id says of what type it is.
    if (name !== "visitType") expect(printed, name).toContain(words);
  }
});
