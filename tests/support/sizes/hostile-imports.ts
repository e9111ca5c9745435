import { readdirSync } from "node:fs";
import { rename, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { receiptEvent } from "../peers/gatewayapi-peer";
import { type Hostile, KB, MB } from "./hostile";
import { png } from "./made-files";
import type { Answer, SizesPortal } from "./sizes-portal";

const head = "CPR;Navn;Mobil;E-mail;Dato;Tid;Varighed;Kode;Behandler;Status\n";
const day = (at: number) =>
  `${String(1 + (at % 28)).padStart(2, "0")}.${String(1 + (Math.floor(at / 28) % 12)).padStart(2, "0")}.2099`;
const line = (cpr: string, at = 0, more = "") =>
  `${cpr};Navn Navnesen;12345678;a@eksempel.dk;${day(at)};08:30;30;OP-48;${more};\n`;
const ofNobody = (at: number) => `${String(1 + (at % 28)).padStart(2, "0")}0181${String(1000 + (at % 8999))}`;

/** Imported files and messages of other programs. @param part share of the full size: 1 in `npm run soak -- --fuzz 10000` */
export async function hostileImports(portal: SizesPortal, part: number): Promise<Hostile[]> {
  const some = (most: number) => Math.max(1, Math.round(most * part));
  const known = await knownPatients(portal);
  const clinic = aClinicName(portal);
  let imports = 0;

  const times = (what: string, make: () => string): Hostile => ({
    kind: `appointment times: ${what}`,
    name: `appointment times: ${what}`,
    async send() {
      const answer = await portal.sendFiles(
        "admin",
        "/management/settings?index",
        { intent: "uploadAppointments", formKey: `tider-${++imports}` },
        [{ field: "AppointmentFile", name: "tider.csv", bytes: Buffer.from(make()) }],
      );
      if (answer.location) await portal.send(answer.location, { as: "admin" });
      return answer;
    },
  });
  const directory = (what: string, kind: "klinikker" | "henvisere", make: (run: number) => string): Hostile => ({
    kind: `directory import: ${what}`,
    name: `directory import: ${what}`,
    async send() {
      imports += 1;
      const answer = await portal.sendFiles(
        "admin",
        "/management/settings/import",
        { intent: "uploadDirectory", kind, formKey: `liste-${imports}` },
        [{ field: "DirectoryFile", name: "liste.csv", bytes: Buffer.from(make(imports)) }],
      );
      if (!answer.location) return answer;
      await portal.send(answer.location, { as: "admin" });
      const planId = Number(/plan=(\d+)/.exec(answer.location)?.[1]);
      return portal.sendForm("admin", answer.location, { intent: "importDirectory", planId, sendLinks: "on" });
    },
  });
  const dropped = (kind: string, job: string, count: number, make: (at: number) => Buffer | string): Hostile => ({
    kind,
    name: kind,
    send: async () => {
      const folder = job === "importEdi" ? portal.folders.edi : portal.folders.bounces;
      imports += 1;
      for (let at = 0; at < count; at += 1) await drop(path.join(folder, `fil-${imports}-${at}`), make(at));
      await portal.sendForm("admin", "/management/settings/job", { intent: "runJobNow", job });
      return taken(folder);
    },
  });
  const webhook = (what: string, text: string): Hostile => ({
    kind: `SMS webhook: ${what}`,
    name: `SMS webhook: ${what}`,
    send() {
      const { body, signature } = receiptEvent("outbox-1", text, { at: new Date() });
      return portal.send("/webhooks/sms", {
        method: "POST",
        headers: { "content-type": "application/json", signature },
        body,
      });
    },
  });

  return [
    times(
      "20,000 patients whom nobody referred",
      () => head + Array.from({ length: some(20_000) }, (_, at) => line(ofNobody(at))).join(""),
    ),
    times(
      "20,000 lines of known patients",
      () => head + Array.from({ length: some(20_000) }, (_, at) => line(known[at % known.length]!, at)).join(""),
    ),
    times(
      "20,000 lines of 200 columns",
      () =>
        `${head.trim()}${Array.from({ length: 190 }, (_, at) => `;k${at}`).join("")}\n${`${line("0101811000").trim()}${";x".repeat(190)}\n`.repeat(some(20_000))}`,
    ),
    times("20,000 lines of formulas", () => head + line("=1", 0, "=1").replaceAll("Navn", "=").repeat(some(20_000))),
    times("a line of 9 MB", () => head + "x".repeat(some(9 * MB))),
    times("9 MB of separators", () => head + ";".repeat(some(9 * MB))),
    times("9 MB of quotation marks", () => head + '";"\n'.repeat(some(2 * MB))),
    times("20,000 cells of 440 signs", () => head + line("0101811000", 0, "x".repeat(440)).repeat(some(20_000))),
    directory(
      "500 clinics",
      "klinikker",
      (run) =>
        `Titel;Adresse;Postnummer;By;E-mail;Telefon\n${Array.from({ length: some(500) }, (_, at) => `Klinik ${run} ${at} ${"x".repeat(100)};Vej 1;8000;Aarhus;a@eksempel.dk;87654321\n`).join("")}`,
    ),
    directory(
      "500 referrers",
      "henvisere",
      (run) =>
        `Fornavn;Efternavn;Brugernavn;E-mail;Klinik\n${Array.from({ length: some(500) }, (_, at) => `Åse;Kjær ${at};bruger-${run}-${at};b${run}-${at}@eksempel.dk;${clinic}\n`).join("")}`,
    ),
    directory(
      "500 lines that are wrong in every cell",
      "henvisere",
      () =>
        `Fornavn;Efternavn;Brugernavn;E-mail;Klinik;Telefon;Mobil;EDI;Henviser id\n${`${"x".repeat(200)};${"x".repeat(200)};ø ø;x;${"y".repeat(200)};x;x;x;${"z".repeat(300)}\n`.repeat(some(500))}`,
    ),
    {
      kind: "the logo: a PNG of 7,000 × 7,000",
      name: "the logo: a PNG of 7,000 × 7,000",
      send: () => {
        const side = Math.round(7000 * Math.sqrt(part));
        return portal.sendFiles(
          "admin",
          "/management/settings/breve",
          { intent: "saveLetterLogo", formKey: `logo-${++imports}` },
          [{ field: "letterLogo", name: "logo.png", bytes: png(side, side, Buffer.alloc(side * (side * 3 + 1))) }],
        );
      },
    },
    dropped("EDI: 40 MB of plus signs", "importEdi", 1, () =>
      Buffer.concat([Buffer.from("UNB"), Buffer.alloc(some(40 * MB), "+")]),
    ),
    dropped("EDI: an XML letter of 60 MB", "importEdi", 1, () =>
      Buffer.concat([Buffer.from("<Emessage><Envelope>"), Buffer.alloc(some(60 * MB), "<a>")]),
    ),
    dropped("EDI: 300 small files", "importEdi", some(300), (at) => `UNA:+.? 'UNB+UNOC:3+${at}`),
    dropped("bounces: 300 mails of 256 KB", "readBounces", some(300), (at) =>
      `To: ${at}@eksempel.dk\nContent-Type: multipart/report; boundary=b\n\n${"--b\nContent-Type: text/plain\n\nx\n".repeat(8000)}`.slice(
        0,
        256 * KB,
      ),
    ),
    webhook("a text of 60 KB", "x".repeat(60 * KB)),
    webhook("a text of 70 KB", "x".repeat(70 * KB)),
  ];
}

/** Puts a file into the folder with an age of some minutes. */
async function drop(file: string, content: Buffer | string): Promise<void> {
  await writeFile(`${file}.part`, content);
  const before = Date.now() / 1000 - 180;
  await utimes(`${file}.part`, before, before);
  await rename(`${file}.part`, file);
}

const TAKEN_WITHIN_MS = 180_000;

async function taken(folder: string): Promise<Answer> {
  const until = Date.now() + TAKEN_WITHIN_MS;
  while (readdirSync(folder).some((name) => name.startsWith("fil-") || name.endsWith(".claimed"))) {
    if (Date.now() > until) throw new Error(`nobody took the files in ${folder}: ${readdirSync(folder).join(", ")}`);
    await sleep(100);
  }
  return { status: 200, location: "", text: "" };
}

const aClinicName = (portal: SizesPortal) =>
  (
    portal.inDatabase((database) =>
      database.prepare("select name from clinic where status = 1 group by name having count(*) = 1 limit 1").get(),
    ) as { name: string }
  ).name;

async function knownPatients(portal: SizesPortal): Promise<string[]> {
  const { text } = await portal.send("/api/Visits?PageSize=100", { as: "admin" });
  const { paginationResult } = JSON.parse(text) as { paginationResult: { entities: { cpr: string }[] } };
  return paginationResult.entities.map(({ cpr }) => cpr);
}
