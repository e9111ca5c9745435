import { Readable } from "node:stream";
import { FileNotInStore } from "~/gateways/file-store/port";
import { type SendingGateway, type SendResult, type AttachedFile } from "~/gateways/sending/port";
import type { NetsShareSettings } from "./port";
import { pooledSftp, putWhole, retryAfter, type SftpSession } from "~/gateways/sftp/session.server";
import type { EboksGateway } from "~/gateways/eboks/port";
import type { PrintGateway } from "~/gateways/print/port";
import { zipOf } from "~/streams/zip.server";
import { type Element, element, writeXml } from "./xml.server";

const PUT_FAILED = 1;

/**
 * Sends letters by SFTP to a Nets Share distributor, one per shipment. The shipment's name is fixed and a duplicate is
 * refused, so it is safe to retry after any error. @param letterOf refuses letters that can never be sent
 */
function createNetsShareGateway<Message>(
  label: string,
  settings: NetsShareSettings,
  letterOf: (message: Message) => Letter | SendResult,
): SendingGateway<Message> {
  const connected = pooledSftp(settings);
  return {
    label,
    mode: "live",
    deduplicates: true,
    async send(message, signal) {
      const letter = letterOf(message);
      return "outcome" in letter ? letter : sendLetter(letter, settings, (work) => connected(signal, work));
    },
  };
}

async function sendLetter(
  letter: Letter,
  settings: NetsShareSettings,
  connected: (work: (session: SftpSession) => Promise<void>) => Promise<void>,
): Promise<SendResult> {
  if (letter.file.sizeBytes > MAX_PDF_BYTES) return { outcome: "refused", detail: "PDF-filen er større end 10 MB" };
  const shipment = await shipmentOf(letter, settings).catch((error: unknown) => {
    if (error instanceof FileNotInStore) return null;
    throw error;
  });
  if (shipment === null) return { outcome: "refused", detail: "PDF-filen findes ikke længere", reason: "fileMissing" };
  const name = shipmentName(letter.letterId);
  const target = `${settings.folder}/Inbound/DK${settings.cvr}/${name}`;
  const progress = { isRenaming: false };
  try {
    await connected((session) => putWhole(session, shipment, target, progress));
    return { outcome: "accepted", detail: "", reference: name };
  } catch (error) {
    // The file is the distributor's once it is renamed, so an error during the rename may have come after it.
    return { ...retryAfter(error, progress.isRenaming ? name : null), code: PUT_FAILED };
  }
}

const TOO_LONG = 5;
const NO_SUCH_RECEIVER = 6;

export const createNetsShareEboks = (settings: NetsShareSettings): EboksGateway =>
  createNetsShareGateway("e-Boks: Nets Share", settings, ({ letterId, cpr, title, file }) => {
    if (!/^\d{6}-?\d{4}$/.test(cpr))
      return { outcome: "refused", detail: "CPR-nummeret er ikke gyldigt", code: NO_SUCH_RECEIVER };
    if ([...title].length > MAX_TITLE)
      return { outcome: "refused", detail: `Titlen er længere end ${MAX_TITLE} tegn`, code: TOO_LONG };
    return { letterId, to: { eboks: { cpr, title } }, file };
  });

export const createNetsSharePrint = (settings: NetsShareSettings): PrintGateway =>
  createNetsShareGateway("Breve: Nets Share", settings, ({ letterId, address, file }) =>
    address.filter((line) => line.trim() !== "").length < 2
      ? { outcome: "refused", detail: "Adressen mangler", code: NO_SUCH_RECEIVER }
      : { letterId, to: { print: { address } }, file },
  );

const NAMESPACE = "http://www.nets.eu/nets-share/1.6";

const MAX_TITLE = 50;
const MAX_PDF_BYTES = 10 * 1024 * 1024;

interface Letter {
  /** Name of the shipment and its only message; a duplicate is refused. */
  letterId: string;
  to: { eboks: { cpr: string; title: string } } | { print: { address: string[] } };
  file: AttachedFile;
}

const shipmentName = (letterId: string) => `netsshare_${letterId}.zip`;

function shipmentXml({ letterId, to }: Letter, settings: NetsShareSettings): string {
  const { cvr, senderName } = settings;
  const ofSender = [element("corporateIdentityNumber", cvr), element("country", "DK")];
  return writeXml(
    element(
      "shipment",
      [
        element("shipmentInfo", [element("shipmentId", letterId), element("sender", ofSender)]),
        element("messages", [
          element(
            "message",
            [
              element("sender", [
                element("senderName", senderName),
                ...ofSender,
                ...("eboks" in to ? [element("eboks:eboksId", settings.eboks!.senderId)] : []),
              ]),
              ...("eboks" in to ? eboksParts(to.eboks) : printParts(to.print, settings)),
              element("document", [
                element("documentType", ("eboks" in to ? settings.eboks! : settings.print!).documentType),
                element("filepath", fileNameIn(letterId)),
              ]),
            ],
            { id: letterId },
          ),
        ]),
      ],
      { xmlns: NAMESPACE, "xmlns:eboks": `${NAMESPACE}/eboks`, "xmlns:print": `${NAMESPACE}/print` },
    ),
  );
}

function eboksParts({ cpr, title }: { cpr: string; title: string }): Element[] {
  return [
    element("eboks:receiver", [
      element("eboks:personIdentityNumber", cpr.replace("-", "")),
      element("eboks:country", "DK"),
    ]),
    element("eboks:config", [element("eboks:description", title), element("eboks:realTime", "true")]),
  ];
}

function printParts({ address }: { address: string[] }, { print }: NetsShareSettings): Element[] {
  return [
    element("print:receiver", [...addressParts(address), element("print:country", "DK")]),
    element("print:config", [element("print:returnAddress", addressParts(print!.returnAddress))]),
  ];
}

const addressParts = ([name = "", ...lines]: string[]) => [
  element("print:name", name),
  ...lines.map((line) => element("print:addressLine", line)),
];

const fileNameIn = (letterId: string) => `${letterId}.pdf`;

/** The complete shipment in memory; a letter has at most 10 MB. */
async function shipmentOf(letter: Letter, settings: NetsShareSettings): Promise<Buffer> {
  const pdf = await bytesOf(await letter.file.open());
  const entries = [
    { fileName: "shipment.xml", open: async () => Readable.from([Buffer.from(shipmentXml(letter, settings))]) },
    { fileName: fileNameIn(letter.letterId), open: async () => Readable.from([pdf]) },
  ];
  return bytesOf(await zipOf(entries));
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
