import { describe, expect, test } from "vitest";
import { channelNames } from "../delivery-outcome";
import { defaultText, templateKinds } from "./message-templates";
import { healthWordsIn, textErrors } from "./text-errors";
import { usedPlaceholders } from "./placeholders";

const inSms = (body: string) => textErrors({ subject: "", body }, "sms", "callUp").body;

describe("the portal's own texts", () => {
  const texts = templateKinds.flatMap((kind) =>
    channelNames.flatMap((channel) => {
      const text = defaultText(kind, channel);
      return text === null ? [] : [{ kind, channel, text }];
    }),
  );
  test("there are texts in every channel", () => {
    expect(new Set(texts.map(({ channel }) => channel))).toEqual(
      new Set(channelNames.filter((channel) => channel !== "archive" && channel !== "edi")),
    );
  });
  test.each(texts)("$kind by $channel can be saved as it is", ({ kind, channel, text }) => {
    expect(textErrors(text, channel, kind)).toEqual({ subject: [], body: [] });
  });
  test.each(texts.filter(({ channel }) => channel === "sms" || channel === "email"))(
    "$kind by $channel says nothing of health",
    ({ text: { subject, body } }) => {
      const all = `${subject}\n${body}`;
      expect(healthWordsIn(all)).toEqual([]);
      expect(usedPlaceholders(all)).not.toContain("behandling");
      expect(usedPlaceholders(all)).not.toContain("anbefaling");
    },
  );
});

test("names an unknown placeholder and those that the channel takes", () => {
  expect(inSms("Kære ((navn)), ((FORNAVN))")).toEqual([
    "((navn)) kendes ikke. Du kan bruge ((fornavn)), ((klinik)), ((telefon)), ((dato)), ((klokkeslæt)).",
  ]);
});

test("refuses patient data in texts to referrers, referrer data in texts to patients", () => {
  const mail = { subject: "Brev", body: "Kære ((henviser)), ((fornavn)) er færdig: ((brevlink))" };
  expect(textErrors(mail, "email", "dischargeLetter").body).toEqual([
    "((fornavn)) kendes ikke. Du kan bruge ((brevlink)), ((henviser)), ((henvisningsnr)), ((klinik)), ((telefon)), ((billedlink)).",
  ]);
  expect(textErrors(mail, "email", "callUp").body[0]).toContain("((henviser)), ((brevlink)) kendes ikke.");
});

test.each(["sms", "email"] as const)(
  "refuses what tells of the treatment in %s, and lets e-Boks have it",
  (channel) => {
    const text = { subject: "((behandling))", body: "Se ((anbefaling)) før din operation." };
    const { subject, body } = textErrors(text, channel, "callUp");
    expect(subject[0]).toContain("Dette hører ikke til i en");
    expect(body[0]).toContain("((anbefaling))");
    expect(body[1]).toContain("»operation«");
    expect(textErrors(text, "eboks", "callUp")).toEqual({ subject: [], body: [] });
  },
);

test.each(["Visdomstanden", "kæbeoperation", "DIAGNOSEN", "implantater", "Fjernelse"])("finds %s", (word) => {
  expect(inSms(`Din tid: ${word}, kl. 10`)[0]).toContain(`»${word}«`);
});

test.each([
  "Ring til os på ((telefon)), så finder vi en tid.",
  "Din tandlæge har skrevet til os",
  "Fjernsyn, samarbejde og behandlingstid",
])("lets pass: %s", (body) => {
  expect(inSms(body)).toEqual([]);
});

test.each(["251248-9996", "251248 9996", "2512489996", "CPR:251248-9996."])("refuses a CPR number: %s", (number) => {
  for (const channel of channelNames)
    expect(textErrors({ subject: "", body: `Hej ${number}` }, channel, "callUp").body).toEqual([
      "Her står et CPR-nummer. Teksten går til alle patienter: slet nummeret.",
    ]);
});

test.each(["70 00 00 00", "+4570000000", "991248-9996", "1234567890123", "3.12.2026"])(
  "is no CPR number: %s",
  (number) => {
    expect(inSms(`Ring ${number}`)).toEqual([]);
  },
);

test("a text without the link that it is for is refused", () => {
  const errorsOf = (body: string) => textErrors({ subject: "", body }, "sms", "radiographLink").body;
  expect(errorsOf("Kære ((fornavn)). Dine billeder er klar.")).toEqual(["Teksten skal indeholde ((link))."]);
  expect(errorsOf("Hent dem her: ((LINK))")).toEqual([]);
  expect(textErrors({ subject: "Ny", body: "((ændring))" }, "email", "accountChanged").body).toEqual([
    "Teksten skal indeholde ((tidspunkt)).",
  ]);
});
