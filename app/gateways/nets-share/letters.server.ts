import { FileNotInStore } from "../file-store/port";
import { reasonOfErrorCode, type SendingGateway, type SendResult } from "../sending/port";
import type { NetsShareSettings } from "./port";
import { pooledSftp, SftpError, type SftpSession } from "../sftp/session.server";
import { type Letter, MAX_PDF_BYTES, MAX_TITLE, shipmentName, shipmentOf } from "./shipment.server";
import type { EboksGateway } from "../eboks/port";
import type { PrintGateway } from "../print/port";

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
  const target = { folder: `${settings.folder}/Inbound/DK${settings.cvr}`, name: shipmentName(letter.letterId) };
  const progress = { isRenaming: false };
  try {
    await connected((session) => put(session, shipment, target, progress));
    return { outcome: "accepted", detail: "", reference: target.name };
  } catch (error) {
    if (!(error instanceof SftpError)) throw error;
    // Theirs after the rename, so an error during it may have come after.
    return resultOf(error, progress.isRenaming ? target.name : null);
  }
}

/** Uploaded under another name, because the distributor takes any `*.zip`, even incomplete. */
async function put(
  session: SftpSession,
  shipment: Buffer,
  { folder, name }: { folder: string; name: string },
  progress: { isRenaming: boolean },
): Promise<void> {
  const whole = `${folder}/${name}`;
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
  // The server's message names folders and files, which helps to find the cause.
  const detail = `SFTP ${code}: ${message}`.slice(0, 300);
  // An unreachable host, refused login or missing folder stops every letter.
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
