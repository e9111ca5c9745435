// @module-tag matrix
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { writeLetter } from "~/features/discharge-letters/write-letter.server";
import { importEdi } from "~/features/edi/import-edi.server";
import { elementAt, rawTextOf, readXmlTree } from "~/features/edi/reading/xml-letter.server";
import { exportPicked, downloadExport } from "~/features/exports/operations.server";
import { putReferral } from "~/features/referrals/details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { replySms } from "~/features/sms-threads/operations.server";
import { captureDataSet, partTenHead } from "~/files/dicom/capture-header.server";
import { parseDicomHeader } from "~/files/dicom/dicom-header.server";
import { systemCaller } from "~/access/system-caller";
import { aReferral } from "../factories/referrals";
import { answeringGateway } from "../support/delivery/answering-gateway";
import { dropEdi, ediSample } from "../support/edi/drop";
import { inPdf, oddName, oddText, type OddSign, PLACEHOLDER, read, typedOf } from "../support/odd-words";
import { contact } from "../support/portals/call-ups-portal";
import { ediLettersPortal, OURS, system } from "../support/portals/edi-letters-portal";
import { forEachDatabase, type TestPortal } from "../support/test-portal";

interface Words {
  first: OddSign[];
  last: OddSign[];
  text: OddSign[];
}

/** Layout changes blanks and line breaks. */
const withoutBlanks = (text: string) => text.replace(/\s/g, "");
type Door = "form" | "api" | "edi";
const lineEnds = (text: string) => text.replace(/\r\n/g, "\n");
/** EDI letters do not keep blanks and empty lines. */
const fewBlanks = (text: string) => text.replace(/\s+/g, " ").trim();
const blanksOf: Record<Door, (text: string) => string> = { form: lineEnds, api: lineEnds, edi: fewBlanks };
const stored = ({ first, last, text }: Words, door: Door) => ({
  firstName: blanksOf[door](read(first, "line")),
  lastName: blanksOf[door](read(last, "line")),
  desiredTreatment: blanksOf[door](read(text, "text")),
});

forEachDatabase("odd words", (dialect) => {
  let portal: TestPortal;
  let root: string;
  let admin: Person;
  let dentist: Person;
  let count = 1000;
  const { turnTo, replaceCpr, sendEdi, letterFiles, out } = ediLettersPortal(dialect, (begun) => {
    ({ portal, root, admin, dentist } = begun);
  });
  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  const clearOut = () => {
    for (const name of readdirSync(out())) rmSync(path.join(out(), name));
  };

  const doors: Record<Door, (words: Words) => Promise<number>> = {
    form: ({ first, last, text }: Words) =>
      aReferral(portal, dentist, {
        firstName: typedOf(first),
        lastName: typedOf(last),
        desiredTreatment: typedOf(text),
        mobilePhone: "40 12 34 56",
      }),
    async api({ first, last, text }: Words) {
      const referralId = await aReferral(portal, dentist, {
        desiredTreatment: typedOf(text),
        mobilePhone: "40 12 34 56",
      });
      const fields = { firstName: typedOf(first), lastName: typedOf(last), surgeonComment: typedOf(text) };
      await portal.as(admin, putReferral, { referralId, fields });
      const { plan } = await portal.as(admin, readReferral, { referralId });
      expect(lineEnds(plan?.comment ?? "")).toBe(read(text, "text"));
      return referralId;
    },
    async edi({ first, last, text }: Words) {
      count += 1;
      const escaped = (written: string) => `<![CDATA[${written.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
      const letter = ediSample("REF01_1.xml")
        .replace("windows-1252", "utf-8")
        .replace("Kuv1234", `Kuv${count}`)
        .replace("Brv5678", `Brv${count}`)
        .replace("2406444917", `010170${count}`)
        .replace("5790000201389", OURS)
        .replace(/<EmailIdentifier>.*<\/EmailIdentifier>/, "")
        .replace(">Ole<", () => `>${escaped(typedOf(first))}<`)
        .replace("<PersonSurnameName>Berggren", () => `<PersonSurnameName>${escaped(typedOf(last))}`)
        .replace(/(<ClinicalReason>)[^]*(<\/ClinicalReason>)/, (_all, open: string, close: string) =>
          [open, ...typedOf(text).split(/\r?\n/).map(escaped).join("<Break/>"), close].join(""),
        );
      dropEdi(root, `brev${count}.xml`, Buffer.from(letter));
      await importEdi(portal, systemCaller("edi"));
      const { id } = await portal.db
        .selectFrom("referral")
        .select("id")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      await portal.db
        .updateTable("referral")
        .set({ referrerId: dentist.id, mobilePhone: "40 12 34 56" })
        .where("id", "=", id)
        .execute();
      return id;
    },
  };
  const waysOut = {
    /** Page of the open referral and GET /Visits/{id}. */
    async api(id: number, words: Words, door: Door) {
      const { patient, referral } = await portal.as(admin, readReferral, { referralId: id });
      expect({
        firstName: patient.firstName,
        lastName: patient.lastName,
        desiredTreatment: blanksOf[door](referral.desiredTreatment ?? ""),
      }).toEqual(stored(words, door));
    },
    async csv(id: number, words: Words, door: Door) {
      const { to } = await portal.as(admin, exportPicked, { pick: [String(id)] });
      const e = new URLSearchParams(to?.split("?")[1]).get("e")!;
      const download = await portal.as(admin, downloadExport, { e });
      const text = (await buffer(download.open() as Readable)).toString("utf16le");
      const [row] = parse(text, { delimiter: "\t", columns: true, bom: true }) as Record<string, string>[];
      const { firstName, lastName, desiredTreatment } = stored(words, door);
      expect(row).toMatchObject({ Fornavn: firstName, Efternavn: lastName });
      // Formula-like cells get an apostrophe.
      const mark = /^[=@-]/.test(desiredTreatment) ? "'" : "";
      expect(blanksOf[door](row!["Ønsket behandling"]!)).toBe(mark + desiredTreatment);
    },
    async sms(id: number, { text }: Words) {
      const reply = () => portal.as(admin, replySms, { referralId: id, formKey: `svar-${id}`, text: typedOf(text) });
      if (text.includes(PLACEHOLDER)) {
        await expect(reply()).rejects.toMatchObject({ text: "Skriv det, der skal stå: ((…)) udfyldes ikke her." });
        return;
      }
      await reply();
      const [message] = await sent("sms");
      expect(message!.text).toBe(read(text, "sms"));
    },
    async mail(id: number, { first }: Words) {
      const { statusVersion: seenVersion } = await rowOf(id);
      await portal.as(admin, setStatus, { referralId: id, status: 3, seenVersion, isDeleteAttachments: "false" });
      await portal.as(admin, sendCallUp, {
        ...contact,
        referralId: id,
        incallType: 0,
        patientEmail: `patient${id}@eksempel.dk`,
      });
      const [message] = await sent("email");
      expect(message!.text).toContain(`Kære ${fewBlanks(read(first, "line"))}`);
      expect(message!.html).toContain(`Kære ${fewBlanks(read(first, "line"))}`);
    },
    async dicom(_id: number, words: Words, door: Door) {
      const { firstName, lastName } = stored(words, door);
      const about = {
        names: { sopInstance: "2.25.1", study: "2.25.2", series: "2.25.3" },
        patient: { id: "0101701234", firstName, lastName, birthDate: "1970-01-01", sex: null },
        accessionNumber: "1",
        study: { date: "2026-12-01", time: "09:00", description: "Henvisning" },
        capturedOn: "2026-12-01",
        radiographType: 0 as const,
        seriesDescription: "Intraoralt",
        instanceNumber: 1,
      };
      const pixels = {
        rows: 1,
        columns: 1,
        samples: 1 as const,
        bits: 8 as const,
        photometric: "MONOCHROME2" as const,
      };
      const { bytes } = partTenHead(captureDataSet(about, { ...pixels, lossyRatio: null }), "1.2.840.10008.1.2.1");
      expect((await parseDicomHeader(bytes, true))?.patientName).toBe(fewBlanks(`${firstName} ${lastName}`));
    },
    /** The PDF and the EDI letter with the same words. */
    async letter(id: number, words: Words) {
      turnTo(id);
      await replaceCpr("010170-1234");
      await portal.as(admin, writeLetter, {
        referralId: id,
        letterNumber: 1,
        diagnosis: "Diagnosen",
        treatment: typedOf(words.text),
      });
      await sendEdi();
      const [file] = letterFiles();
      const letter = elementAt(readXmlTree(file!.text), "DischargeLetter");
      const patient = (name: string) => rawTextOf(elementAt(letter, "Patient", name)!);
      expect(patient("PersonGivenName")).toBe(fewBlanks(read(words.first, "line")));
      expect(patient("PersonSurnameName")).toBe(fewBlanks(read(words.last, "line")));
      const text = rawTextOf(elementAt(letter, "ClinicalInformation", "Text01")!);
      expect(withoutBlanks(text)).toContain(`Udførtbehandling${withoutBlanks(inPdf(words.text))}`);
    },
  };

  /** Content handed to a channel's gateway. */
  async function sent(channel: "sms" | "email"): Promise<{ text: string; html: string }[]> {
    const messages: { text: string; html: string }[] = [];
    const gateway = answeringGateway({ outcome: "sent", detail: "" }, (message) => messages.push(message as any));
    const on = { ...portal, [channel]: gateway } as TestPortal;
    while ((await on.as(system, sendMessage, { owner: "a", channel })).data?.sent);
    return messages;
  }

  // Each run passes through the whole portal and takes a tenth of a second.
  const { FUZZ_RUNS } = process.env;
  const numRuns = FUZZ_RUNS ? Math.ceil(Number(FUZZ_RUNS) / 20) : dialect === "sqlite" ? 30 : 8;

  test.each(Object.keys(doors) as Door[])(
    "that come in by %s leave by every channel with the same letters",
    async (door) => {
      const words = fc.record({ first: oddName, last: oddName, text: oddText });
      await fc.assert(
        fc.asyncProperty(words, async (given) => {
          // Exports are limited per person and day.
          for (const table of ["outbox", "throttle"] as const) await portal.db.deleteFrom(table).execute();
          clearOut();
          const id = await doors[door](given);
          expect(id).toBeGreaterThan(0);
          for (const leave of Object.values(waysOut)) await leave(id, given, door);
        }),
        { numRuns },
      );
    },
    1_800_000,
  );
});
