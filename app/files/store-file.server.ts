import { createHash } from "node:crypto";
import type { Secrets } from "~/access/secrets.server";
import { parseCpr } from "~/text/cpr";
import type { FileStore } from "~/gateways/file-store/port";
import type { Previews } from "./previews/preview.server";
import type { VirusScanner } from "~/gateways/virus-scanner/port";
import { sealDicomFacts, seriesOf } from "./dicom/dicom-facts.server";
import { inspectFile } from "./file-content.server";
import type { FileKind } from "./file-rules";
import type { NewStoredFile } from "./stored-file-store.server";

/**
 * Checks an upload's content, scans it and moves it to the store. A refused file stays for the caller to remove, as
 * does one given a `storageKey`. Throws `StoreFull`. @param requestedBy whose turn reading it takes
 */
export async function storeUpload(
  {
    files,
    previews,
    scanner,
    secrets,
  }: { files: FileStore; previews: Pick<Previews, "readDicom" | "checkPdf">; scanner: VirusScanner; secrets: Secrets },
  path: string,
  fileName: string,
  kind: FileKind,
  { requestedBy, storageKey: given }: { requestedBy: string; storageKey?: string },
): Promise<{ accepted: NewStoredFile } | { refused: string; fileName: string }> {
  const inspected = await inspectFile(path, fileName, kind, {
    readDicom: (source) => previews.readDicom(source, requestedBy),
    checkPdf: (source) => previews.checkPdf(source, requestedBy),
  });
  if (!inspected.ok) return { refused: inspected.message, fileName: inspected.sanitizedFileName };
  const scanState = await scanner.scan(path);
  if (scanState === "infected")
    return { refused: "Filen indeholder virus og er ikke modtaget.", fileName: inspected.sanitizedFileName };
  const storageKey = given ?? (await files.moveFromPath(path));
  if (given) await files.copyAs(path, given);
  const { sanitizedFileName, mime, sizeBytes, sha256, dicom, takenOn } = inspected;
  const cpr = parseCpr(dicom?.patientId ?? "");
  return {
    accepted: {
      storageKey,
      fileName: sanitizedFileName,
      mime,
      sizeBytes,
      sha256,
      scanState,
      takenOn: dicom?.studyDate ?? takenOn ?? null,
      dicomCprHash: cpr === null ? null : secrets.lookup("cpr", cpr),
      dicomInstanceHash: dicom?.sopInstance ? secrets.lookup("instance", dicom.sopInstance) : null,
      dicomSeries: dicom === undefined ? null : seriesOf(secrets, dicom),
      dicomFactsEncrypted: dicom === undefined ? null : sealDicomFacts(secrets, storageKey, dicom),
    },
  };
}

export const storeLetter = ({ files }: { files: FileStore }, { name, pdf }: { name: string; pdf: Buffer }) =>
  storeMade(files, name, "application/pdf", pdf);

export const storeLogo = ({ files }: { files: FileStore }, fileName: string, jpeg: Buffer) =>
  storeMade(files, `${fileName.replace(/\.[^.]*$/, "")}.jpg`, "image/jpeg", jpeg);

async function storeMade(files: FileStore, fileName: string, mime: string, made: Buffer): Promise<NewStoredFile> {
  return {
    storageKey: await files.put(bytes(made)),
    fileName,
    mime,
    sizeBytes: made.length,
    sha256: createHash("sha256").update(made).digest("hex"),
    scanState: "clean",
    dicomCprHash: null,
    dicomFactsEncrypted: null,
  };
}

async function* bytes(made: Buffer) {
  yield made;
}
