import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

const samples = path.resolve(import.meta.dirname, "../../files/edi");

export const ediSample = (name: string) => readFileSync(path.join(samples, name), "latin1");

/** Puts a file into the EDI folder with an age of some minutes. */
export function dropEdi(dataDir: string, name: string, text: string | Buffer): void {
  const folder = path.join(dataDir, "edi", "in");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, typeof text === "string" ? Buffer.from(text, "latin1") : text);
  const before = Date.now() / 1000 - 180;
  utimesSync(file, before, before);
}

let count = 0;

interface Changes {
  cpr?: string;
  firstName?: string;
  lastName?: string;
  letterId?: string;
  objectId?: string;
  status?: string;
  wantsReceipt?: boolean;
  priority?: string;
}

/** An XREF01 referral in its own envelope. */
export function aReferralLetter({
  cpr = "2406444917",
  firstName = "Ole",
  lastName = "Berggren",
  ...changes
}: Changes = {}): string {
  count += 1;
  const reference =
    changes.objectId === undefined
      ? ""
      : `<Reference><RefDescription>Panorama</RefDescription><BIN><ObjectIdentifier>${changes.objectId}</ObjectIdentifier><ObjectCode>billede</ObjectCode><ObjectExtensionCode>png</ObjectExtensionCode><OriginalObjectSize>9</OriginalObjectSize></BIN></Reference>`;
  return ediSample("REF01_1.xml")
    .replace("Kuv1234", `Kuv${count}`)
    .replace("Brv5678", changes.letterId ?? `Brv${count}`)
    .replace("2406444917", cpr)
    .replace(">Ole<", `>${firstName}<`)
    .replace("<PersonSurnameName>Berggren", `<PersonSurnameName>${lastName}`)
    .replace("nytbrev", changes.status ?? "nytbrev")
    .replace("<Priority>elektiv<", `<Priority>${changes.priority ?? "elektiv"}<`)
    .replace("minuspositivkvitt", changes.wantsReceipt ? "pluspositivkvitt" : "minuspositivkvitt")
    .replace("</HospitalReferral>", `${reference}</HospitalReferral>`)
    .replace(/<EmailIdentifier>.*<\/EmailIdentifier>/, "");
}

export function aCorrespondence({ cpr = "2406444917" }: Changes = {}): string {
  count += 1;
  return ediSample("DIS91_made.xml")
    .replace("Kuv91001", `Kuv${count}`)
    .replace("Brv91001", `Brv${count}`)
    .replace("2406444917", cpr)
    .replace(/<Reference>.*<\/Reference>/s, "");
}

export function anAttachment(objectId: string, bytes: Buffer, { cpr = "2406444917", extension = "png" } = {}): string {
  count += 1;
  return ediSample("XBIN_hello_World.xml")
    .replace("MEDBIN00173", `Bin${count}`)
    .replace("021121TAU00173", `Bin${count}`)
    .replace("5790000120420", "5790000121526")
    .replace("1111111118", cpr)
    .replace("5051D851-5CAC-4F69-80E1-F4BC6B86BF62", objectId)
    .replace(">txt<", `>${extension}<`)
    .replace(">32<", `>${bytes.length}<`)
    .replace(/H4sI[^<]*/, bytes.toString("base64"));
}
