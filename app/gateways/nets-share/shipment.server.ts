import { Readable } from "node:stream";
import { zipOf } from "~/files/zip.server";
import type { AttachedFile } from "../sending/port";
import type { NetsShareSettings } from "./port";
import { type Element, element, writeXml } from "./xml.server";

const NAMESPACE = "http://www.nets.eu/nets-share/1.6";

export const MAX_TITLE = 50;
export const MAX_PDF_BYTES = 10 * 1024 * 1024;

export interface Letter {
  /** Name of the shipment and its only message; a duplicate is refused. */
  letterId: string;
  to: { eboks: { cpr: string; title: string } } | { print: { address: string[] } };
  file: AttachedFile;
}

export const shipmentName = (letterId: string) => `netsshare_${letterId}.zip`;

export function shipmentXml({ letterId, to }: Letter, settings: NetsShareSettings): string {
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
export async function shipmentOf(letter: Letter, settings: NetsShareSettings): Promise<Buffer> {
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
