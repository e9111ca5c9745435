import { expect, test } from "vitest";
import { readReturnedMail } from "./delivery-status-report";

const SIZE = 250_000;
const report = (to: string, status: string) =>
  `To: ${to}\nContent-Type: multipart/report; boundary="b"\n\n--b\nContent-Type: message/delivery-status\n\n${status}\n--b--\n`;

test.each([
  ["one letter", `To: ${"a".repeat(SIZE)}`],
  ["letters in folded lines", `To: ${`${"a".repeat(900)}\n `.repeat(SIZE / 900)}`],
  ["at signs", `To: ${"@".repeat(SIZE)}`],
  ["quotes and blanks", `To: ${'" <'.repeat(SIZE / 3)}`],
  ["line breaks", "\r\n".repeat(SIZE / 2)],
  ["folds", `To: a${"\n ".repeat(SIZE / 2)}`],
  ["boundaries", report("a@b", "--b\n".repeat(SIZE / 4))],
  [
    "boundaries that are not closed",
    `Content-Type: multipart/report; ${"boundary=".repeat(100)}\n\n${"--b\n".repeat(SIZE / 4)}`,
  ],
  ["digits of an answer", report("a@b", `Action: failed\nDiagnostic-Code: ${"4".repeat(SIZE)}`)],
])("a mail of 250 KB of %s is read in linear time", (_of, mail) => {
  expect(readReturnedMail(mail).to.length).toBeLessThanOrEqual(20);
});

test("receivers are found between blanks, commas and brackets, in folded lines too", () => {
  const head = `To: "Retur" <Retur+1-00@x.dk>,\n\tb@y.dk; c@z.dk\nDelivered-To:d@w.dk\nX-Original-To: Retur+1-00@x.dk`;
  expect(readReturnedMail(`${head}\n\nhej e@v.dk`).to).toEqual(["Retur+1-00@x.dk", "b@y.dk", "c@z.dk", "d@w.dk"]);
  expect(readReturnedMail("To: @x.dk, y@, @, navn\n\n").to).toEqual([]);
});

test("counts 1,000 characters of a line, twenty receivers and reports", () => {
  expect(readReturnedMail(`To: a@b.dk ${"x".repeat(990)} c@d.dk\n\n`).to).toEqual(["a@b.dk"]);
  const many = Array.from({ length: 100 }, (_each, index) => `To: a${index}@b.dk`).join("\n");
  expect(readReturnedMail(`${many}\n\n`).to).toHaveLength(20);
  const reports = Array.from({ length: 100 }, (_each, index) => `Action: failed\nStatus: 5.1.${index}`).join("\n\n");
  expect(readReturnedMail(report("a@b", reports)).reports).toHaveLength(20);
});

test("the words of a mail that came back are composed, and cannot turn their direction", () => {
  const mail = `Subject: Retur\nContent-Type: text/plain; charset=utf-8\n\n${Buffer.from("A\u030ase \u202ekan ikke 👩‍👧").toString("latin1")}\n`;
  expect(readReturnedMail(mail).text).toBe("Retur\n\nÅse kan ikke 👩‍👧");
});

test.each([
  [
    "as quoted words",
    "=?utf-8?Q?Kan_ikke_leveres:_=C3=85se_?= =?utf-8?Q?M=C3=B8ller?=",
    "Kan ikke leveres: Åse Møller",
  ],
  ["in Base64", "=?UTF-8?B?w4ViZW50?=", "Åbent"],
  ["in latin1", "=?iso-8859-1?q?For_l=F8bet?= i dag", "For løbet i dag"],
  ["as bare UTF-8", Buffer.from("Ikke på plads").toString("latin1"), "Ikke på plads"],
  ["in a set that nobody knows", "=?x-unknown?Q?Retur?=", "Retur"],
])("a subject %s is read", (_how, subject, words) => {
  expect(readReturnedMail(`Subject: ${subject}\nContent-Type: text/plain\n\nTekst`).text).toBe(`${words}\n\nTekst`);
});

test.each(["=?utf-8?Q?Frav=C3=A6r_til_mandag?=", "=?iso-8859-1?Q?Frav=E6r?=", "Automatisk svar: Indkaldelse"])(
  "an automatic answer is known by its subject: %s",
  (subject) => {
    expect(readReturnedMail(`From: soeren@eksempel.dk\nSubject: ${subject}\n\nHej`).isHarmless).toBe(true);
  },
);
