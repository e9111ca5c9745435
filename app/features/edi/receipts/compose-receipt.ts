import type { RefuseCode, Syntax } from "~/features/edi/reading/letter";
import { emessage, tag, value } from "~/features/edi/xml-writer";
import { localDate, localTime } from "~/text/dates";

export interface Receipt {
  syntax: Syntax;
  envelopeId: string;
  letterId: string;
  sentAt: Date;
  ourEan: string;
  theirEan: string;
  /** The message answered; with `letterId` or `version` null the receipt concerns the whole envelope. */
  original: { envelopeId: string; letterId: string | null; version: string | null; messageType: "MEDREF" | "MEDDIS" };
  refusal: { code: RefuseCode; text: string } | null;
}

/** CTL03 for received, CTL02 for refused, in the letter's syntax. */
export const composeReceipt = (receipt: Receipt): string =>
  receipt.syntax === "xml" ? inXml(receipt) : inEdifact(receipt);

function inXml({ envelopeId, letterId, sentAt, ourEan, theirEan, original, refusal }: Receipt): string {
  const why = refusal === null ? "" : value("RefuseCode", refusal.code) + value("RefuseText", refusal.text);
  const ean = (name: string, number: string) => tag(name, value("EANIdentifier", number));
  const names = original.letterId !== null && original.version !== null;
  const letter = names
    ? tag(
        "OriginalLetter",
        value("OriginalLetterIdentifier", original.letterId!) + value("OriginalVersionCode", original.version!) + why,
      )
    : "";
  const body =
    tag(
      "Letter",
      value("Identifier", letterId) +
        value("VersionCode", refusal ? "XC0230Q" : "XC0330Q") +
        value("StatisticalCode", refusal ? "XCTL02" : "XCTL03"),
    ) +
    ean("Sender", ourEan) +
    ean("Receiver", theirEan) +
    tag(
      "OriginalEmessage",
      value("OriginalEnvelopeIdentifier", original.envelopeId) +
        ean("OriginalSender", theirEan) +
        ean("OriginalReceiver", ourEan) +
        (names ? letter : why),
    );
  return emessage(
    { schema: 2005, identifier: envelopeId, sentAt, wantsReceipt: false },
    tag(refusal ? "NegativeReceipt" : "PositiveReceipt", body),
  );
}

/** `?` escapes separators. */
const released = (text: string) => text.replace(/[?:+']/g, (character) => `?${character}`);

const LINE = 70;
const COMPONENTS = 5;

/** FTX segments of at most five components of 70 characters; a trailing backslash continues one. */
function textSegments(text: string): string[] {
  const pieces: string[] = [];
  for (let rest = text.replace(/\\/g, "/").replace(/\s+/g, " "); rest !== "";) {
    const isLast = rest.length <= LINE;
    pieces.push(isLast ? rest : `${rest.slice(0, LINE - 1)}\\`);
    rest = isLast ? "" : rest.slice(LINE - 1);
  }
  const segments: string[] = [];
  for (let at = 0; at < pieces.length; at += COMPONENTS)
    segments.push(
      `FTX+VER+P00++${pieces
        .slice(at, at + COMPONENTS)
        .map(released)
        .join(":")}`,
    );
  return segments;
}

function inEdifact({ envelopeId, letterId, sentAt, ourEan, theirEan, original, refusal }: Receipt): string {
  const result = refusal ? "4" : "7";
  const at = `${localDate(sentAt).slice(2).replace(/-/g, "")}:${localTime(sentAt).replace(":", "")}`;
  const message = [
    `UNH+${released(letterId)}+CONTRL:D:93A:ZZ:${refusal ? "C0230Q+CTL02" : "C0330Q+CTL03"}`,
    `UCI+${released(original.envelopeId)}+${released(theirEan)}:14+${released(ourEan)}:14+${result}`,
    ...(original.letterId !== null && original.version !== null
      ? [`UCM+${released(original.letterId)}+${original.messageType}:D:93A:UN:${released(original.version)}+${result}`]
      : []),
    ...(refusal ? textSegments(refusal.text) : []),
  ];
  const segments = [
    `UNB+UNOC:3+${released(ourEan)}:14+${released(theirEan)}:14+${at}+${released(envelopeId)}`,
    ...message,
    `UNT+${message.length + 1}+${released(letterId)}`,
    `UNZ+1+${released(envelopeId)}`,
  ];
  return `UNA:+.? '\n${segments.map((segment) => `${segment}'`).join("\n")}\n`;
}
