import path from "node:path";
import { notConfigured } from "../sending/port";
import { createDropGateway, createDropInbox } from "./drop-folder.server";
import { type EdiGateway, type EdiInbox, type EdiSettings, isEdiSet } from "./port";
import { createSftpGateway, createSftpInbox } from "./sftp-folder.server";

interface Given {
  edi: EdiSettings | null;
  dataDir: string;
  production: boolean;
}

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
