import { beforeEach, describe, expect, test } from "vitest";
import { get } from "../../scripts/test-server.mjs";
import { type DrawnForm, formOfId, sentBy, valuesIn } from "../support/drawn-form";
import { demoPortal } from "../support/portals/demo-portal";

const portal = demoPortal({
  people: ["admin", "kirurg", "sekretaer"],
  env: {
    OIDC_REFERRER_ISSUER: "https://login.eksempel.dk",
    OIDC_REFERRER_CLIENT_ID: "portal",
    OIDC_REFERRER_CLIENT_SECRET: "a-secret-that-nobody-asks-for",
    OIDC_REFERRER_LABEL: "Log ind med eksempel",
  },
});

const idOf = (sql: string) =>
  portal.inDatabase((database) => (database.prepare(sql).get() as { id: number } | undefined)!.id);
const clinicOf = (userName: string) =>
  idOf(
    `select clinic_id as id from user_clinic join user on user.id = user_id where user_name = '${userName}' order by clinic_id limit 1`,
  );
const userNamed = (userName: string) => idOf(`select id from user where user_name = '${userName}'`);

interface Edited {
  page(): string;
  form: string;
  /** Of two people; one person twice is two tabs. */
  by?: readonly [string, string];
  /** Fields that are merged apart, each with its first value and what the one and the other type. */
  fields: readonly (readonly [name: string, before: string, one: string, other: string])[];
  /** What the second reads at the first field; its value by default. */
  reads?: RegExp;
  /** Typed into every form, and never drawn. */
  password?: string;
  /** The answer to a form that changes nothing, where it is not 'Ingen ændringer.'; null if it acts nevertheless. */
  nothingChanged?: RegExp | null;
}

const password = "Demo1234";

/** The forms of administration that draw stored values. */
const forms: Record<string, Edited> = {
  "a clinic": {
    page: () => `/management/clinics?aaben=${clinicOf("sekretaer")}`,
    form: "updateClinic",
    by: ["sekretaer", "admin"],
    fields: [
      ["phone", "10 00 00 10", "10 00 00 11", "10 00 00 12"],
      ["name", "Broens Tandlæger", "Åens Tandlæger", "Søens Tandlæger"],
    ],
  },
  "a referrer": {
    page: () => `/management/users?aaben=${userNamed("tandlaege")}`,
    form: "updateUser",
    by: ["sekretaer", "admin"],
    fields: [
      ["mobilePhone", "40 00 00 10", "40 00 00 11", "40 00 00 12"],
      ["lastName", "Før", "Den Ene", "Den Anden"],
    ],
  },
  "an account of staff": {
    page: () => `/management/users?aaben=${userNamed("kirurg")}`,
    form: "updateUser",
    fields: [
      ["firstName", "Før", "Ene", "Anden"],
      ["lastName", "Før", "Enesen", "Andensen"],
    ],
  },
  "an external identity": {
    page: () => `/management/users?aaben=${userNamed("tandlaege2")}`,
    form: "saveExternalIdentity",
    fields: [["externalIdentity", "den-første", "den-ene", "den-anden"]],
    password,
  },
  "a treatment type": {
    page: () => `/management/settings?ret=${idOf("select min(id) as id from treatment_type where id > 0")}`,
    form: "saveTreatmentType",
    fields: [
      ["externalCodes", "FØR-1", "EN-1", "AN-1"],
      [
        "recommendationLink",
        "https://eksempel.dk/foer.pdf",
        "https://eksempel.dk/en.pdf",
        "https://eksempel.dk/anden.pdf",
      ],
    ],
  },
  "a text of the portal": {
    page: () => "/management/settings/tekster/infoPopup",
    form: "portalText",
    fields: [
      ["body", "Første tekst", "Den enes\ntekst", "Den andens\ntekst"],
      ["buttonText", "OK", "Enig", "Luk"],
    ],
    reads: /^Nu: version \d+$/,
    nothingChanged: /Teksten gælder allerede/,
  },
  "a text of messages": {
    page: () => "/management/settings/beskeder/callUp/email",
    form: "messageText",
    fields: [
      ["subject", "Første emne", "Den enes emne", "Den andens emne"],
      ["body", "Første tekst", "Kære ((fornavn)). Ring til den ene.", "Kære ((fornavn)). Ring til den anden."],
    ],
  },
  "one's own profile": {
    page: () => "/management/change-password",
    form: "changeProfile",
    by: ["admin", "admin"],
    fields: [
      ["phone", "10 00 00 10", "10 00 00 21", "10 00 00 22"],
      ["firstName", "Før", "Ene", "Anden"],
    ],
  },
  "the number of a test SMS": {
    page: () => "/management/change-password",
    form: "sendTestSms",
    by: ["admin", "admin"],
    fields: [["mobilePhone", "40 00 00 10", "40 00 00 21", "40 00 00 22"]],
    nothingChanged: null,
  },
  "names and deadlines": {
    page: () => "/management/settings/navne-og-frister",
    form: "saveNamesAndDeadlines",
    fields: [
      ["status16Label", "Første navn", "Den enes navn", "Den andens navn"],
      ["messageMailAddress", "foer@eksempel.dk", "ene@eksempel.dk", "anden@eksempel.dk"],
    ],
  },
  "opening hours": {
    page: () => "/management/settings/navne-og-frister",
    form: "saveOpeningHours",
    fields: [
      ["openingHours1", "8–16", "8–15", "9–16"],
      ["closedDays", "23.12.2026", "22.12.2026", "21.12.2026"],
    ],
  },
  "critical medicines": {
    page: () => "/management/settings/navne-og-frister",
    form: "saveCriticalMedicines",
    fields: [["criticalMedicines", "marevan", "xarelto", "eliquis"]],
  },
  reminders: {
    page: () => "/management/settings/paamindelser",
    form: "saveReminderSettings",
    fields: [
      ["days1", "4", "5", "6"],
      ["days2", "1", "2", "3"],
    ],
  },
  letters: {
    page: () => "/management/settings/breve",
    form: "saveLetterSettings",
    fields: [
      ["phone", "10 00 00 10", "10 00 00 31", "10 00 00 32"],
      ["city", "Vejle", "Aarhus", "Odense"],
    ],
  },
  senders: {
    page: () => "/management/settings/breve",
    form: "saveSenders",
    fields: [
      ["emailSenderName", "Først", "Den ene", "Den anden"],
      ["smsSender", "Klinik", "Ene", "Anden"],
    ],
  },
};

async function draw(who: string, { page, form }: Edited) {
  const { status, text } = await get(portal.origin + page(), { cookie: portal.cookies[who]! });
  expect(status).toBe(200);
  return { text, form: formOfId(text, form) };
}

const valueIn = (form: DrawnForm, name: string) => valuesIn(form, [name], [])[name];

/** Sends a form as it was drawn, with what its person types. */
async function send(who: string, edited: Edited, form: DrawnForm, typed: Record<string, string>) {
  const { password: currentPassword } = edited;
  const answer = await fetch(new URL(form.action || edited.page(), portal.origin), {
    method: "POST",
    redirect: "manual",
    headers: { cookie: portal.cookies[who]!, origin: portal.origin },
    body: new URLSearchParams(sentBy(form, { ...typed, ...(currentPassword !== undefined && { currentPassword }) })),
  });
  return { status: answer.status, text: await answer.text() };
}

const shownAt = (html: string, id: string) =>
  new RegExp(`id="${id}-error"[^>]*>.*?<span>([^<]*)</span>`, "s").exec(html)?.[1];

describe.each(Object.entries(forms))("two who edit %s", (_name, edited) => {
  const [one, other] = edited.by ?? ["admin", "kirurg"];
  const [[field, , ones, others], second] = edited.fields as [Edited["fields"][number], Edited["fields"][number]?];
  const stored = async (...names: string[]) => {
    const { form } = await draw(one, edited);
    return names.map((name) => valueIn(form, name));
  };

  const first = Object.fromEntries(edited.fields.map(([name, before]) => [name, before]));
  beforeEach(async () => {
    await send(one, edited, (await draw(one, edited)).form, first);
  });

  test.runIf(second !== undefined)("at the same time keep what each has changed", async () => {
    const [former, later] = [await draw(one, edited), await draw(other, edited)];
    const [name, , , value] = second!;
    expect((await send(one, edited, former.form, { [field]: ones })).status).toBe(303);
    expect((await send(other, edited, later.form, { [name]: value })).status).toBe(303);
    expect(await stored(field, name)).toEqual([ones, value]);
  });

  test("in the same field: the second reads the first's, and presses again", async () => {
    const [former, later] = [await draw(one, edited), await draw(other, edited)];
    expect((await send(one, edited, former.form, { [field]: ones })).status).toBe(303);
    const refused = await send(other, edited, later.form, { [field]: others });
    expect(refused.status).toBe(409);
    expect(shownAt(refused.text, `${edited.form}-${field}`)).toMatch(edited.reads ?? `Nu: ${ones}`);
    expect(refused.text).toContain(ones);
    expect(await stored(field)).toEqual([ones]);
    const answered = formOfId(refused.text, edited.form);
    expect(valueIn(answered, field)).toBe(others);
    expect((await send(other, edited, answered, {})).status).toBe(303);
    expect(await stored(field)).toEqual([others]);
  });

  test("with a form that nobody touched overwrite nothing", async () => {
    const [former, later] = [await draw(one, edited), await draw(other, edited)];
    expect((await send(one, edited, former.form, { [field]: ones })).status).toBe(303);
    expect((await send(other, edited, later.form, {})).status).toBe(303);
    const { form, text } = await draw(other, edited);
    expect(valueIn(form, field)).toBe(ones);
    const { nothingChanged = /Ingen ændringer\./ } = edited;
    if (nothingChanged) expect(text).toMatch(nothingChanged);
  });
});
