import path from "node:path";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import { createMessageFolder, createEmbeddedLetters } from "./sending/embedded-letters.server";
import { notConfigured, STORED_LOCALLY, NOT_CONFIGURED } from "./sending/port";
import type { EmailGateway, EmailMessage } from "./email/port";
import { createSmtpGateway } from "./email/smtp.server";
import type { SmsGateway, SmsMessage } from "./sms/port";
import { createGatewayApi } from "./sms/gatewayapi.server";
import { createNetsShareEboks, createNetsSharePrint } from "./nets-share/letters.server";
import type { NetsShareSettings } from "./nets-share/port";
import type { EboksGateway } from "./eboks/port";
import type { PrintGateway } from "./print/port";
import { createDropGateway, createDropInbox } from "./edi/drop-folder.server";
import { type EdiGateway, type EdiInbox, type EdiSettings, isEdiSet } from "./edi/port";
import { createSftpGateway, createSftpInbox } from "./edi/sftp-folder.server";
import type { ImageArchiveGateway, ImageArchiveSettings, InstanceNames } from "./image-archive/port";
import { createFolderStore } from "./file-store/folder.server";
import type { FileStore, FileStoreSettings } from "./file-store/port";
import type { S3Options } from "./file-store/s3.server";
import type { PersonAnswer, PersonRegister } from "./person-register/port";
import { testPersons } from "./person-register/test-persons-list";
import { createCprDirect } from "./person-register/cpr-direct.server";
import type { Vehicle, VehicleAnswer, VehicleRegister } from "./vehicle-register/port";
import { createMotorApi } from "./vehicle-register/motor-api.server";
import type { VirusScanner } from "./virus-scanner/port";
import { type ClamdAddress, createClamdScanner } from "./virus-scanner/clamd.server";

/** Where this machine keeps its own files, and whether its patients are real. */
interface Machine {
  dataDir: string;
  production: boolean;
}

function createEmbedded<Message extends { key: string }>(folder: string, label: string) {
  const kept = createMessageFolder<Message>(folder);
  return {
    label,
    mode: "embedded" as const,
    deduplicates: true,
    async send(message: Message) {
      await kept.store(message);
      return { outcome: "sent" as const, detail: STORED_LOCALLY };
    },
    listStored: (limit: number) => kept.list(limit),
  };
}

export const createEmbeddedMailbox = (folder: string): EmailGateway =>
  createEmbedded<EmailMessage>(folder, "Prøve: mails lægges i mappen mailbox");

/** SMTP with `SMTP_URL`; otherwise the mailbox folder under DATA_DIR outside production. */
export function chooseEmailGateway({
  smtpUrl,
  smtpRequiresTls,
  dataDir,
  production,
}: Machine & { smtpUrl: string | null; smtpRequiresTls: boolean }): EmailGateway {
  if (smtpUrl !== null) return createSmtpGateway(smtpUrl, { requireTLS: smtpRequiresTls });
  return production
    ? notConfigured("E-mail er ikke indstillet (SMTP_URL)")
    : createEmbeddedMailbox(path.join(dataDir, "mailbox"));
}

interface SmsOptions {
  url: string;
  token: string | null;
  webhookSecret: string | null;
}

/** GatewayAPI with a token; otherwise the folder sms under DATA_DIR outside production. */
export function chooseSmsGateway({ sms, dataDir, production }: Machine & { sms: SmsOptions }): SmsGateway {
  if (sms.token !== null) return createGatewayApi({ ...sms, token: sms.token });
  return production
    ? notConfigured("SMS er ikke indstillet (SMS_TOKEN)")
    : createEmbedded<SmsMessage>(path.join(dataDir, "sms"), "Prøve: SMS lægges i mappen sms");
}

interface NetsShare {
  netsShare: NetsShareSettings | null;
}

/** Nets Share if it has the clinic's e-Boks number; otherwise the folder eboks under DATA_DIR outside production. */
export function chooseEboksGateway({ netsShare, dataDir, production }: Machine & NetsShare): EboksGateway {
  if (netsShare?.eboks) return createNetsShareEboks(netsShare);
  return production
    ? notConfigured("e-Boks er ikke indstillet (NETS_SHARE_EBOKS_ID)")
    : createEmbeddedLetters(path.join(dataDir, "eboks"), "Prøve: e-Boks-breve lægges i mappen eboks");
}

export function choosePrintGateway({ netsShare }: NetsShare): PrintGateway {
  if (netsShare?.print) return createNetsSharePrint(netsShare);
  return {
    label: "Breve venter på næste brevbunke",
    mode: "batch",
    deduplicates: true,
    send: async () => ({ outcome: "retry", detail: "Venter på næste brevbunke" }),
  };
}

type Given = Machine & { edi: EdiSettings | null };

const EMBEDDED = "Prøve: EDI lægges i mappen edi";

/** The configured folder; otherwise edi/in under DATA_DIR outside production. Null without one. */
export function chooseEdiInbox({ edi, dataDir, production }: Given): EdiInbox | null {
  if (edi === null)
    return production ? null : createDropInbox(path.join(dataDir, "edi", "in"), EMBEDDED, { isOurs: true });
  const { place, inFolder } = edi;
  return place.kind === "folder"
    ? createDropInbox(path.join(place.path, inFolder), `Mappe: ${place.path}`)
    : createSftpInbox(place, inFolder);
}

export function chooseEdiGateway({ edi, dataDir, production }: Given): EdiGateway {
  if (!isEdiSet({ edi, production })) return notConfigured("EDI er ikke indstillet (EDI_DIR eller EDI_SFTP_URL)");
  if (edi === null) return createDropGateway(path.join(dataDir, "edi", "out"), EMBEDDED, { isOurs: true });
  const { place, outFolder } = edi;
  return place.kind === "folder"
    ? createDropGateway(path.join(place.path, outFolder), `Mappe: ${place.path}`)
    : createSftpGateway(place, outFolder);
}

/** Keeps DICOM files and their archive data (JSON) in a folder during a trial without an archive. */
function createEmbeddedArchive(folder: string, label: string): ImageArchiveGateway {
  const names = createMessageFolder<InstanceNames & { key: string; fileName: string }>(folder);
  return {
    label,
    mode: "embedded",
    deduplicates: true,
    async send({ key, instance: { open, sopClass, sopInstance, study, series } }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fileName = `${key}.dcm`;
      await pipeline(await open(), createWriteStream(path.join(folder, fileName), { mode: 0o600 }), { signal });
      await names.store({ key, fileName, sopClass, sopInstance, study, series });
      return { outcome: "sent", detail: STORED_LOCALLY, reference: sopInstance };
    },
  };
}

/** The configured archive; otherwise the folder image-archive under DATA_DIR outside production. */
export async function chooseImageArchive({
  imageArchive,
  dataDir,
  production,
}: Machine & { imageArchive: ImageArchiveSettings | null }): Promise<ImageArchiveGateway> {
  if (imageArchive !== null) {
    const { createDimseArchive } = await import("./image-archive/dimse.server");
    return createDimseArchive(imageArchive);
  }
  if (!production)
    return createEmbeddedArchive(
      path.join(dataDir, "image-archive"),
      "Prøve: billeder til arkivet lægges i mappen image-archive",
    );
  return notConfigured("Billedarkivet er ikke indstillet (IMAGE_ARCHIVE)");
}

export async function chooseFileStore(
  settings: FileStoreSettings,
  options: S3Options & { isScratch?: boolean },
): Promise<FileStore> {
  if ("folder" in settings) return createFolderStore(settings.folder, options);
  const { createS3Store } = await import("./file-store/s3.server");
  return createS3Store(settings, options);
}

function createTestPersons(): PersonRegister {
  return {
    label: "Ikke indstillet: svarer kun for testpersoner",
    isReal: false,
    find: (cpr) => Promise.resolve(testPersons[cpr]?.answer ?? { kind: "notFound" }),
  };
}

/** The same register, which also knows these persons, unless it is a real one. */
export const withPersons = (register: PersonRegister, persons: ReadonlyMap<string, PersonAnswer>): PersonRegister =>
  register.isReal ? register : { ...register, find: async (cpr) => persons.get(cpr) ?? register.find(cpr) };

interface PersonRegisterOptions {
  /** `tls://host:port`; null knows test persons only. */
  url: string | null;
  customer: string | null;
  user: string | null;
  password: string | null;
  /** PEM file; null uses Node's CAs. */
  caFile: string | null;
}

/**
 * CPR Direkte with a URL, otherwise test persons. Checked at start. @throws RangeError for an invalid URL or
 * credentials
 */
export function choosePersonRegister({ url, customer, user, password, caFile }: PersonRegisterOptions): PersonRegister {
  if (url === null) return createTestPersons();
  const address = hostAndPort(url, "tls");
  if (address === null) throw new RangeError("The CPR register's URL must be tls://host:port");
  return createCprDirect({
    ...address,
    customer: customer ?? "",
    user: user ?? "",
    password: password ?? "",
    ca: caFile === null ? undefined : readFileSync(caFile, "utf8"),
  });
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_PLATES = 2_000;

/**
 * Caches answers about a plate in memory for a day, including unknown ones; concurrent questions share one request.
 * Failures are not cached.
 */
export function createCachedRegister(register: VehicleRegister): VehicleRegister {
  const answers = new LRUCache<string, Promise<VehicleAnswer>>({
    max: MAX_PLATES,
    ttl: DAY_MS,
    ttlAutopurge: true,
    perf: Date,
  });
  return {
    label: register.label,
    isReal: register.isReal,
    async find(plate) {
      const cached = answers.get(plate);
      if (cached) return cached;
      const asked = register.find(plate);
      answers.set(plate, asked);
      const answer = await asked;
      if (answer.kind === "unavailable") answers.delete(plate);
      return answer;
    },
  };
}

const car = (make: string, model: string, color: string, status = "Registreret"): Vehicle => ({
  make,
  model,
  color,
  status,
});

/** Invented plates: no series has these letters. */
const testVehicles: Readonly<Record<string, Vehicle>> = {
  QX12345: car("Volkswagen", "Golf", "Blå"),
  QX20002: car("Toyota", "Yaris", "Rød"),
  QX20003: car("Skoda", "Octavia", "Grå"),
  QX20004: car("Tesla", "Model 3", "Hvid"),
  QX30001: car("Citroën", "Berlingo", "Grøn", "Afmeldt"),
};

function createTestVehicles(): VehicleRegister {
  return {
    label: "Ikke indstillet: kender kun prøvebiler",
    isReal: false,
    async find(plate) {
      const vehicle = testVehicles[plate];
      return vehicle ? { kind: "found", vehicle } : { kind: "notFound" };
    },
  };
}

interface VehicleRegisterOptions {
  url: string;
  token: string | null;
}

/** MotorAPI with a token; otherwise test cars outside production. */
export function chooseVehicleRegister({
  vehicleRegister: { url, token },
  production,
}: {
  vehicleRegister: VehicleRegisterOptions;
  production: boolean;
}): VehicleRegister {
  if (token !== null) return createCachedRegister(createMotorApi({ url, token }));
  return production ? noVehicleRegister : createTestVehicles();
}

const noVehicleRegister: VehicleRegister = {
  label: NOT_CONFIGURED,
  isReal: false,
  find: async () => ({ kind: "unavailable", detail: NOT_CONFIGURED }),
};

export function createNoScanner(): VirusScanner {
  return {
    name: "ingen",
    label: "Ikke indstillet: filer scannes ikke for virus",
    scan: () => Promise.resolve("noScanner"),
    state: () => Promise.resolve("notConfigured"),
  };
}

/**
 * clamd with `CLAMD_URL`, otherwise none. @param maxMegabytes clamd's `MaxFileSize`; larger files are reported as
 * unscanned @throws RangeError unless `tcp://host:port` or `unix:/path`
 */
export function chooseVirusScanner({
  clamdUrl,
  maxMegabytes,
}: {
  clamdUrl: string | null;
  maxMegabytes?: number;
}): VirusScanner {
  if (clamdUrl === null) return createNoScanner();
  return createClamdScanner(
    addressOf(clamdUrl),
    maxMegabytes === undefined ? {} : { maxBytes: maxMegabytes * 1024 * 1024 },
  );
}

function addressOf(url: string): ClamdAddress {
  const socket = /^unix:(?:\/\/)?(\/[^\0]+)$/.exec(url);
  if (socket !== null) return { path: socket[1]! };
  const address = hostAndPort(url, "tcp");
  if (address === null) throw new RangeError("CLAMD_URL must be tcp://host:port or unix:/path");
  return address;
}

/** Null unless `scheme://host:port`, an IPv6 address in brackets. */
function hostAndPort(url: string, scheme: "tls" | "tcp"): { host: string; port: number } | null {
  const match = /^([a-z]+):\/\/(\[[0-9a-f:]+\]|[^\s/:@?#]+):(\d{1,5})\/?$/i.exec(url);
  const port = Number(match?.[3]);
  if (match?.[1]?.toLowerCase() !== scheme || port < 1 || port > 65_535) return null;
  return { host: match[2]!.replace(/^\[|\]$/g, ""), port };
}
