import { z } from "zod";
import { optionalEmail, text } from "~/text/fields.server";
import { cleanLine } from "~/text/normalise";
import { SMS_SENDER } from "~/text/sms";

const line = (maxLength: number) => text(maxLength).overwrite(cleanLine).default("");

const MM = "Skriv et tal i millimeter";
const millimetres = (from: number, to: number) => {
  const error = `${MM}, ${from}-${to}.`;
  return z
    .string({ error })
    .trim()
    .transform((typed) => Number(typed.replace(",", ".") || Number.NaN))
    .refine((value) => value >= from && value <= to, error);
};

/** The sheet is 210 mm wide and folded at 148 mm; an address needs 85 × 30 mm below the letterhead. */
const WINDOW = { left: [10, 115], top: [32, 110] } as const;
const HEAD = { left: 37, top: 50 };

const BATCH_HOURS = Array.from({ length: 14 }, (_, nth) => String(nth + 7).padStart(2, "0"));

export const letterSettings = z
  .object({
    clinicName: line(80),
    address: line(120),
    zip: line(10).refine((typed) => typed === "" || /^\d{4}$/.test(typed), "Postnr. er fire cifre."),
    city: line(60),
    phone: line(30).refine(
      (typed) => typed === "" || /^\+?[\d ]{8,20}$/.test(typed),
      "Skriv et telefonnummer, fx 70 00 00 00.",
    ),
    email: optionalEmail,
    web: line(80).refine((typed) => !/\s/.test(typed), "Skriv en webadresse uden mellemrum, fx www.eksempel.dk."),
    windowLeft: millimetres(...WINDOW.left),
    windowTop: millimetres(...WINDOW.top),
    batchHour: z.enum(["", ...BATCH_HOURS], "Vælg en time.").default(""),
  })
  .refine(({ windowLeft, windowTop }) => windowLeft <= HEAD.left || windowTop >= HEAD.top, {
    path: ["windowTop"],
    error: `Adressen ville stå oven i klinikkens egen. Sæt den mindst ${HEAD.top} mm fra toppen, eller højst ${HEAD.left} mm fra venstre.`,
  });

const MAX_PHRASES_LENGTH = 3000;
const MAX_PHRASES = 20;
const phraseLines = text(MAX_PHRASES_LENGTH)
  .default("")
  .transform((typed) => typed.split("\n").map(cleanLine).filter(Boolean))
  .refine((lines) => lines.length <= MAX_PHRASES, `Højst ${MAX_PHRASES} sætninger.`)
  .transform((lines) => lines.join("\n"));

export const letterPhrases = z.object({
  diagnosis: phraseLines,
  treatment: phraseLines,
  medicine: phraseLines,
  followUp: phraseLines,
});

export const senderNames = z.object({
  emailSenderName: line(60).refine((typed) => !/[<>"@]/.test(typed), 'Navnet må ikke indeholde < > " eller @.'),
  smsSender: line(15).refine(
    (typed) => typed === "" || SMS_SENDER.test(typed),
    "Skriv et navn på 3-11 bogstaver a-z, tal og mellemrum, eller et nummer uden +.",
  ),
});
