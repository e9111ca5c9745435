import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { NOT_CONFIGURED, type AttachedFile } from "~/gateways/sending/port";
import { type Channel, usualChannel } from "./channel.server";
import type { ArchiveContent } from "../port";
import { SECONDARY_CAPTURE, type PatientIdSpan, patientIdElement } from "~/files/dicom/dicom-part10.server";
import type { DicomFacts } from "~/files/dicom/dicom-facts.server";
import { DICOM_MIME } from "~/files/file-rules";
import type { NoPreviewReason } from "~/files/previews/preview-result";
import {
  type ArchiveInstance,
  type ArchiveResult,
  type InstanceNames,
  type PatientsImage,
  sameNumber,
} from "~/gateways/image-archive/port";
import type { Portal } from "~/portal.server";

const NO_IMAGE = { outcome: "refused", detail: "Filen findes ikke længere", reason: "fileMissing" } as const;

/** `to` is the same for every image; the archive is a setting. */
export const archive: Channel<ArchiveContent | null> = {
  ...usualChannel,
  // 1 GB takes a quarter of an hour at 10 Mbit/s; a silent archive is given up long before.
  timeoutSeconds: 1800,
  pollMinutes: 5,
  logType: null,
  gateway: (portal) => portal.imageArchive,
  async send(portal, { key, content, file }, signal) {
    if (portal.imageArchive.mode === "notConfigured")
      return { outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" };
    if (content === null || file === null) return NO_IMAGE;
    const hand = (preservesJpeg: boolean) =>
      withInstance(portal, { key, content, file, preservesJpeg }, (instance) =>
        portal.imageArchive.send({ key, instance }, signal),
      );
    const { isFormatRefused, ...result } = await hand(true);
    // Some archives accept uncompressed images only.
    return isFormatRefused && content.mime === "image/jpeg" ? hand(false) : result;
  },
  async poll(portal, { content }, signal) {
    const image = content === null ? null : await archivedAs(portal, content);
    return image === null ? null : ((await portal.imageArchive.find?.(image, signal)) ?? null);
  },
};

interface Leaving {
  key: string;
  content: ArchiveContent;
  file: AttachedFile;
  preservesJpeg: boolean;
}

const refused = (detail: string) => ({ outcome: "refused", detail, reason: "archiveRefusesFile" }) as const;
const UNREADABLE = refused("Filen kan ikke læses");
const NAMELESS = refused("Filen mangler de numre (UID), som arkivet kender billeder ved");
const NUMBER_NOT_WRITABLE = refused("Patientens CPR-nummer står ikke i filen og kan ikke skrives i den");

/** Provides an image as a DICOM file: the original, or one created temporarily. */
async function withInstance(
  portal: Portal,
  leaving: Leaving,
  send: (instance: ArchiveInstance) => Promise<ArchiveResult>,
): Promise<ArchiveResult> {
  return (leaving.content.mime === DICOM_MIME ? sendDicom : sendPicture)(portal, leaving, send);
}

/** The archive's identifiers of an image and its patient; null when the file has none. */
async function archivedAs(portal: Portal, content: ArchiveContent): Promise<PatientsImage | null> {
  const patientId = content.capture.patient.id;
  if (content.mime !== DICOM_MIME) return { sopClass: SECONDARY_CAPTURE, ...content.capture.names, patientId };
  const facts = await portal.files.withLocalCopy(content.storageKey, (copy) => factsIn(portal, copy));
  const names = facts && namesIn(facts);
  return names && { ...names, patientId };
}

async function sendDicom(
  portal: Portal,
  { content, file }: Leaving,
  send: (instance: ArchiveInstance) => Promise<ArchiveResult>,
): Promise<ArchiveResult> {
  return portal.files.withLocalCopy(content.storageKey, async (copy) => {
    const facts = await factsIn(portal, copy);
    if (facts === null) return UNREADABLE;
    const names = namesIn(facts);
    if (names === null) return NAMELESS;
    const { transferSyntax, dataSetOffset, patientIdSpan } = facts;
    const patientId = content.capture.patient.id;
    const bytes = { sizeBytes: file.sizeBytes, open: async () => createReadStream(copy) };
    const isNamed = sameNumber(facts.patientId ?? "", patientId);
    if (!isNamed && patientIdSpan === null) return NUMBER_NOT_WRITABLE;
    const sent = isNamed ? bytes : withNumber(copy, file.sizeBytes, patientId, patientIdSpan!);
    return send({ ...names, ...sent, patientId, transferSyntax, dataSetOffset });
  });
}

/** Replaces the patient id in the file, because archives file an image under that id. */
function withNumber(copy: string, sizeBytes: number, patientId: string, span: PatientIdSpan) {
  const element = patientIdElement(patientId, span);
  async function* written() {
    yield* createReadStream(copy, { end: span.from - 1 });
    yield element;
    yield* createReadStream(copy, { start: span.to });
  }
  return { sizeBytes: sizeBytes - (span.to - span.from) + element.length, open: async () => Readable.from(written()) };
}

async function factsIn({ previews }: Portal, sourcePath: string): Promise<DicomFacts | null> {
  const answer = await previews.readDicom(sourcePath, "archive");
  return "facts" in answer ? answer.facts : null;
}

function namesIn({ sopClass, sopInstance, study, series }: DicomFacts): InstanceNames | null {
  return sopClass === null || sopInstance === null || study === null || series === null
    ? null
    : { sopClass, sopInstance, study, series };
}

/** Temporary errors of this machine, not faults of the picture. */
const passing: readonly NoPreviewReason[] = ["busy", "closed", "storage", "timeout"];

async function sendPicture(
  { config, files, previews }: Portal,
  { key, content, preservesJpeg }: Leaving,
  send: (instance: ArchiveInstance) => Promise<ArchiveResult>,
): Promise<ArchiveResult> {
  const folder = path.join(config.dataDir, "captures");
  // Named after the message, so that a retry overwrites leftovers of a killed process.
  const outputPath = path.join(folder, `${key}.dcm`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const written = await files.withLocalCopy(content.storageKey, (sourcePath) =>
      previews.writeCapture({ sourcePath, outputPath, preservesJpeg, mime: content.mime, header: content.capture }),
    );
    if ("failed" in written)
      return passing.includes(written.failed)
        ? { outcome: "retry", detail: "Billedet kunne ikke gøres klar til arkivet" }
        : UNREADABLE;
    return await send({
      sopClass: SECONDARY_CAPTURE,
      ...content.capture.names,
      ...written,
      patientId: content.capture.patient.id,
      open: async () => createReadStream(outputPath),
    });
  } finally {
    await rm(outputPath, { force: true });
  }
}
