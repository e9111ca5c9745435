import { FileNotInStore } from "../file-store/port";
import { reasonOfErrorCode } from "../sending/error-code";
import type { SendingGateway, SendResult } from "../sending/port";
import type { NetsShareSettings } from "./port";
import { pooledSftp, SftpError, type SftpSession } from "../sftp/session.server";
import { type Letter, MAX_PDF_BYTES, shipmentName, shipmentOf } from "./shipment.server";

/** 'Fejl i ftp upload'. */
const PUT_FAILED = 1;

/**
 * Sends letters, one a shipment, by SFTP to a distributor of the Nets Share kind. A letter's shipment always has the same name, and the
 * distributor refuses a second one of that name as received before: so it may be sent again after any error.
 * @param letterOf refuses what can never be sent
 */
export function createNetsShareGateway<Message>(
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
  const target = { folder: `${settings.folder}/Inbound/DK${settings.cvr}`, name: shipmentName(letter.letterId) };
  const progress = { isRenaming: false };
  try {
    await connected((session) => put(session, shipment, target, progress));
    return { outcome: "accepted", detail: "", reference: target.name };
  } catch (error) {
    if (!(error instanceof SftpError)) throw error;
    // It is theirs once it has its name: what went wrong while that was asked for may have gone wrong after.
    return resultOf(error, progress.isRenaming ? target.name : null);
  }
}

/** Under another name first: the distributor takes whatever is called `*.zip`, half of it too. */
async function put(
  session: SftpSession,
  shipment: Buffer,
  { folder, name }: { folder: string; name: string },
  progress: { isRenaming: boolean },
): Promise<void> {
  const whole = `${folder}/${name}`;
  // From an attempt that was interrupted.
  if (await session.exists(whole)) return;
  const part = `${whole}.part`;
  await session.put(shipment, part);
  const { size } = await session.stat(part);
  if (size !== shipment.length)
    throw new SftpError("working", "ESHORT", `${size} of ${shipment.length} bytes were kept`);
  progress.isRenaming = true;
  await session.rename(part, whole);
}

function resultOf({ during, code, message }: SftpError, reference: string | null): SendResult {
  // The server's message names folders and files, which help in finding the cause.
  const detail = `SFTP ${code}: ${message}`.slice(0, 300);
  // An unreachable host, a refused login or a missing folder stops every letter alike.
  const isChannelDown = during === "connecting" || code === "ENOENT" || code === "EACCES";
  return {
    outcome: "retry",
    detail,
    reason: reasonOfErrorCode(code),
    code: PUT_FAILED,
    isChannelDown,
    ...(reference === null ? {} : { reference }),
  };
}
