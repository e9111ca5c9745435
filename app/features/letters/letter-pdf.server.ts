import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { readFile } from "node:fs/promises";
import { newPdf, printable } from "~/files/pdf/printable.server";
import { type Letterhead, readLetterhead, readSettings } from "~/features/settings/settings.server";
import { localDate, showDayInWords } from "~/text/dates";
import type { DbOrTx } from "~db/connection.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";

/** Position of the envelope window in millimetres from the sheet's upper left corner. */
interface AddressWindow {
  left: number;
  top: number;
}

export const C5_WINDOW: AddressWindow = { left: 20, top: 42 };

export interface Letter {
  letterhead: Letterhead;
  /** PNG or JPEG; an unreadable one is replaced by the clinic's name. */
  logo: Buffer | string | null;
  window: AddressWindow;
  address: string[];
  subject: string;
  body: string;
  writtenAt: Date;
}

const MAX_PAGES = 2;

export class LetterTooLong extends Error {
  override readonly name = "LetterTooLong";
}

const MM = 72 / 25.4;
const page = { left: 57, right: 57, top: 57, bottom: 64 };
const ink = "#16232E";
const quiet = "#4B5B69";
const accent = "#3B6287";

/** Renders a letter as a tagged A4 PDF. Throws `LetterTooLong` beyond two pages. */
export async function renderLetter(letter: Letter): Promise<{ pdf: Buffer; pageCount: number }> {
  const { pdf, places } = await renderLetters([letter], letter.subject);
  return { pdf, pageCount: places[0]!.pageCount };
}

/** Pages of a letter within a batch, counted from 1. */
export interface LetterPlace {
  firstPage: number;
  pageCount: number;
}

/**
 * Renders letters into one PDF for the printer. Each begins on a front page, so that two patients never share a sheet.
 * Throws `LetterTooLong`.
 */
export async function renderLetters(
  letters: readonly Letter[],
  title: string,
): Promise<{ pdf: Buffer; places: LetterPlace[]; pageCount: number }> {
  const [{ letterhead, writtenAt }] = letters as [Letter];
  const doc = newPdf({
    margins: page,
    autoFirstPage: false,
    bufferPages: true,
    info: {
      Title: printable(title),
      Author: printable(letterhead.clinicName),
      Creator: printable(letterhead.clinicName),
      CreationDate: writtenAt,
    },
  });
  const root = doc.struct("Document");
  doc.addStructure(root);
  const places: LetterPlace[] = [];
  for (const letter of letters) {
    if (doc.bufferedPageRange().count % 2 === 1) doc.addPage();
    doc.addPage();
    const firstPage = doc.bufferedPageRange().count;
    writeLetter(doc, root, letter);
    const pageCount = doc.bufferedPageRange().count - firstPage + 1;
    if (pageCount > MAX_PAGES) throw new LetterTooLong();
    if (pageCount > 1) numberPages(doc, firstPage, pageCount);
    places.push({ firstPage, pageCount });
  }
  root.end();
  const { count } = doc.bufferedPageRange();
  doc.end();
  return { pdf: await buffer(doc as unknown as NodeJS.ReadableStream), places, pageCount: count };
}

function writeLetter(doc: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement, letter: Letter) {
  const { subject, body } = letter;
  const width = doc.page.width - page.left - page.right;
  const write = (tag: "H1" | "P", text: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) => {
    root.add(doc.struct(tag, {}, () => void doc.text(printable(text), x, y, { width, ...options })));
  };
  drawSender(doc, letter, width);
  writeAddress(doc, root, letter);
  doc.font("regular").fontSize(11).fillColor(ink);
  write("P", placeAndDate(letter), page.left, Math.max(doc.y, 108 * MM - 24), { align: "right" });
  doc.moveDown(1.2).font("strong").fontSize(15);
  write("H1", subject, page.left, doc.y);
  doc.font("regular").fontSize(11.5).moveDown(0.8);
  for (const paragraph of body.split(/\n{2,}/)) {
    writeParagraph(doc, root, paragraph, width);
    doc.moveDown(0.9);
  }
}

/** Web addresses become links, because nobody types 43 random characters. Trailing punctuation is excluded. */
const ADDRESS = /(https:\/\/[^\s<>"]*[^\s<>".,;:!?)])/;

function writeParagraph(doc: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement, paragraph: string, width: number) {
  const parts = printable(paragraph)
    .split(ADDRESS)
    .filter((part) => part !== "");
  const top = doc.y;
  const runs = parts.map((part, index) => {
    const isAddress = ADDRESS.test(part);
    const options = {
      width,
      lineGap: 3,
      continued: index < parts.length - 1,
      link: isAddress ? part : null,
      underline: isAddress,
    };
    const write = () => void (index === 0 ? doc.text(part, page.left, top, options) : doc.text(part, options));
    return isAddress ? doc.struct("Link", { alt: part }, write) : write;
  });
  root.add(doc.struct("P", {}, runs));
}

/** Draws logo or name and contact data as decoration, since the letter's text repeats it for screen readers. */
function drawSender(doc: PDFKit.PDFDocument, { letterhead, logo }: Letter, width: number) {
  const { clinicName, address, zip, city, phone, email, web } = letterhead;
  const image = readLogo(doc, logo);
  doc.markContent("Artifact", { type: "Layout" });
  if (image) doc.image(image, page.left, page.top - 12, { fit: [200, 40] });
  else
    doc
      .font("strong")
      .fontSize(14)
      .fillColor(accent)
      .text(printable(clinicName), page.left, page.top - 8, { width: width * 0.55, lineBreak: true });
  const lines = [image ? clinicName : "", address, `${zip} ${city}`.trim(), phone && `Telefon ${phone}`, email, web];
  doc
    .font("regular")
    .fontSize(9.5)
    .fillColor(quiet)
    .text(printable(lines.filter(Boolean).join("\n")), page.left + width * 0.6, page.top - 8, {
      width: width * 0.4,
      align: "right",
      lineGap: 1.5,
    });
  doc.endMarkedContent();
  doc.y = 40 * MM;
}

function writeAddress(doc: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement, { address, window }: Letter) {
  if (address.length === 0) return;
  doc.font("regular").fontSize(11).fillColor(ink);
  root.add(
    doc.struct(
      "P",
      {},
      () =>
        void doc.text(printable(address.join("\n")), window.left * MM, window.top * MM, { width: 85 * MM, lineGap: 2 }),
    ),
  );
}

const placeAndDate = ({ letterhead, writtenAt }: Letter) =>
  [letterhead.city, showDayInWords(localDate(writtenAt))].filter(Boolean).join(", ");

function numberPages(doc: PDFKit.PDFDocument, firstPage: number, pageCount: number) {
  for (let index = 0; index < pageCount; index++) {
    doc.switchToPage(firstPage - 1 + index);
    const { bottom } = doc.page.margins;
    doc.page.margins.bottom = 0;
    doc.markContent("Artifact", { type: "Pagination" });
    doc
      .font("regular")
      .fontSize(9)
      .fillColor(quiet)
      .text(`Side ${index + 1} af ${pageCount}`, page.left, doc.page.height - 44, {
        width: doc.page.width - page.left - page.right,
        align: "right",
      });
    doc.endMarkedContent();
    doc.page.margins.bottom = bottom;
  }
}

function readLogo(doc: PDFKit.PDFDocument, logo: Letter["logo"]): Buffer | null {
  if (logo === null) return null;
  try {
    const bytes = typeof logo === "string" ? readFileSync(logo) : logo;
    (doc as unknown as { openImage(source: Buffer): unknown }).openImage(bytes);
    return bytes;
  } catch {
    return null;
  }
}

export const LOGO_SETTING = "letterLogoFileId";
export const windowSettings = { left: "letterWindowLeft", top: "letterWindowTop" } as const;

export const windowAsSettings = ({ left, top }: AddressWindow): Record<string, string> => ({
  [windowSettings.left]: String(left),
  [windowSettings.top]: String(top),
});

/** The position of the address window: the clinic's setting, by default a C5 envelope. */
export async function readWindow(db: DbOrTx): Promise<AddressWindow> {
  const saved = await readSettings(db, Object.values(windowSettings));
  const left = saved[windowSettings.left];
  const top = saved[windowSettings.top];
  return {
    left: left === "" ? C5_WINDOW.left : Number(left),
    top: top === "" ? C5_WINDOW.top : Number(top),
  };
}

export async function findLogo(db: DbOrTx) {
  const { [LOGO_SETTING]: id } = await readSettings(db, [LOGO_SETTING]);
  return id === "" ? null : ((await findStoredFiles(db, [Number(id)]))[0] ?? null);
}

/**
 * Converts a picture to a JPEG on white in a reader process, since a damaged PNG would end the process that draws
 * letters. Null if it cannot be read.
 */
export async function drawLogo(
  { db, previews }: Pick<Portal, "db" | "previews">,
  storedFileId: number,
  requestedBy: string,
): Promise<Buffer | null> {
  const [source] = await findStoredFiles(db, [storedFileId]);
  if (!source) return null;
  const { storageKey, sha256, mime } = source;
  const drawn = await previews.makePreview({ storageKey, sha256, mime, size: "view", requestedBy });
  return "failed" in drawn ? null : readFile(drawn.path);
}

/** Layout shared by all letters. The clinic's logo takes precedence over the configured one. */
export async function readLetterLayout({
  db,
  config,
  files,
}: Pick<Portal, "db" | "config" | "files">): Promise<Pick<Letter, "letterhead" | "logo" | "window">> {
  return {
    letterhead: await readLetterhead(db, config),
    logo: (await readClinicLogo(db, files)) ?? config.clinicLogo,
    window: await readWindow(db),
  };
}

async function readClinicLogo(db: DbOrTx, files: Portal["files"]): Promise<Buffer | null> {
  const logo = await findLogo(db);
  if (logo === null) return null;
  try {
    return await buffer(await files.openRead(logo.storageKey));
  } catch (error) {
    if (error instanceof FileNotInStore) return null;
    throw error;
  }
}
