import { createHash } from "node:crypto";
import type { LetterReport, LetterReports, NetsShareSettings } from "./port";
import { childOf, type Element, elementsOf, readXml, textOf } from "./xml.server";
import { withSftp } from "~/gateways/sftp/session.server";

/** `…netsshare_<letter>.zip.receipt`; the part before differs between test and production. */
const SHIPMENT_RECEIPT = /netsshare_([a-z]+-\d+-[0-9a-f]+)\.zip\.receipt$/;

/** Reads a shipment receipt, a real-time receipt, or the daily report. Null for others. */
export function readReports(fileName: string, text: string): LetterReport[] | null {
  const root = readXml(text);
  if (root === null) return null;
  const ofShipment = SHIPMENT_RECEIPT.exec(fileName)?.[1];
  const reports = ofShipment === undefined ? messagesIn(root) : shipmentIn(root, ofShipment);
  return reports?.map((report, index) => ({ ...report, eventId: eventIdOf(fileName, index, report) })) ?? null;
}

type ReportFields = Omit<LetterReport, "eventId">;

function shipmentIn(root: Element, letterId: string): ReportFields[] | null {
  const status = childOf(root, "status");
  if (!status) return null;
  const detail = [...elementsOf(root, "message")].map(textOf).join("; ");
  if (textOf(status) === "200" || ALREADY_RECEIVED.test(detail))
    return [{ letterId, state: "received", code: null, detail }];
  const code = refusalTexts.find(({ says }) => says.every((words) => words.test(detail)))?.code ?? OTHER_REASON;
  return [{ letterId, state: "failed", code, detail: detail || `Status ${textOf(status)}` }];
}

function messagesIn(root: Element): ReportFields[] | null {
  const reports = [...elementsOf(root, "message")].flatMap((message) => {
    const id = message.attributes.id ?? textOf(childOf(message, "messageid", "id") ?? message);
    const status = childOf(message, "status", "state");
    return status === undefined || id.length > 100 ? [] : [reportOf(message, id, textOf(status))];
  });
  return reports.length > 0 || /report|receipt/i.test(root.name) ? reports : null;
}

function reportOf(message: Element, letterId: string, status: string): ReportFields {
  const reason = textOf(childOf(message, "reasoncode", "code", "errorcode") ?? { ...message, children: [] });
  const words = textOf(
    childOf(message, "reason", "reasontext", "description", "errormessage") ?? { ...message, children: [] },
  );
  const state = reportStates[status.toUpperCase()];
  const detail = [status, reason, words].filter(Boolean).join(" ").slice(0, 300);
  // Unknown states change nothing; the letter is listed as a failure in the end.
  if (state === undefined) return { letterId, state: "received", code: null, detail };
  return {
    letterId,
    state,
    code: state === "failed" ? (reasonCodes[reason.toUpperCase()] ?? OTHER_REASON) : null,
    detail,
  };
}

const eventIdOf = (fileName: string, index: number, report: ReportFields) =>
  createHash("sha256")
    .update(JSON.stringify([fileName, index, report.letterId, report.state, report.detail]))
    .digest("hex");

const MAX_FILES = 500;
const MAX_BYTES = 10 * 1024 * 1024;
const RUN_MS = 10 * 60_000;
/** Files with letter states; others are left there. */
const KNOWN_KIND = /\.(receipt|xml)$/i;

export function createOutbound(settings: NetsShareSettings): LetterReports {
  const folder = `${settings.folder}/Outbound`;
  return {
    async readEach(visit) {
      await withSftp(settings, AbortSignal.timeout(RUN_MS), async (session) => {
        const files = (await session.list(folder))
          .filter(({ type, name }) => type === "-" && !/\.(part|tmp|filepart)$/i.test(name))
          .map((file) => ({ ...file, isKnown: KNOWN_KIND.test(file.name) && file.size <= MAX_BYTES }))
          // Unknown files last, so that they never delay known ones.
          .toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.modifyTime - b.modifyTime)
          .slice(0, MAX_FILES);
        for (const { name, isKnown } of files) {
          const reports = isKnown ? readReports(name, (await session.get(`${folder}/${name}`)).toString("utf8")) : null;
          if ((await visit({ name, reports })) === "taken") await session.delete(`${folder}/${name}`, true);
        }
      });
    },
  };
}

/** The distributor's states; others are not final. */
const reportStates: Readonly<Record<string, "received" | "delivered" | "failed">> = {
  RECEIVED: "received",
  PROCESSING: "received",
  ACCEPTED: "delivered",
  CONFIRMED: "delivered",
  DELIVERED: "delivered",
  DISTRIBUTED: "delivered",
  PRINTED: "delivered",
  REJECTED: "failed",
  FAILED: "failed",
  RETURNED: "failed",
};

/**
 * State numbers by the distributor's reason codes. Its list comes with the contract. Unknown reasons become 9, 'Fejl',
 * with their own text.
 */
const reasonCodes: Readonly<Record<string, number>> = {
  RECEIVER_NOT_ACTIVE: 4,
  RECEIVER_NOT_REGISTERED: 4,
  DESCRIPTION_TOO_LONG: 5,
  MESSAGE_TOO_LONG: 5,
  RECEIVER_NOT_FOUND: 6,
  RECEIVER_DECEASED: 6,
  RECEIVER_UNKNOWN: 6,
  INVALID_DATE: 7,
  PROTECTED_ADDRESS: 10,
};

/** State numbers of refused shipments, by words that all occur in the reason. */
const refusalTexts: readonly { says: readonly RegExp[]; code: number }[] = [
  { says: [/too long|maxlength/i], code: 5 },
  { says: [/exceeds/i, /length/i], code: 5 },
  { says: [/receiver/i, /not found|unknown|does not exist/i], code: 6 },
  { says: [/invalid/i, /date/i], code: 7 },
];

const ALREADY_RECEIVED = /already been received/i;

const OTHER_REASON = 9;
