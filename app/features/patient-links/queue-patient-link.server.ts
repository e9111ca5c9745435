import { addDays } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { issuePatientLink } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { type KindHooks, withdrawn } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { patientPaths } from "~/text/link-token";
import {
  type FileLinkPurpose,
  findByMessage,
  findNewestMessage,
  insertPatientMessage,
  type LinkedFilesOf,
  findLinkedLetter,
} from "./store.server";
import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { strangersIn } from "~/features/referrals/archive/plan-exports.server";
import {
  type LinkedFile,
  mayBeGiven,
  referralRadiographs,
} from "~/features/referrals/details/linked-radiographs.server";
import { findLetterImageIds } from "~/features/referrals/store/referral-file-store.server";
import { findStoredFiles } from "~/files/stored-file-store.server";

interface Words {
  sent: string;
  nothing: string;
  path(token: string): string;
}

export const linkWords: Readonly<Record<FileLinkPurpose, Words>> = {
  radiographLink: {
    sent: "Link til røntgenbilleder",
    nothing: "Der er ingen røntgenbilleder at sende.",
    path: patientPaths.patientRadiographs,
  },
  letterFilesLink: {
    sent: "Link til udskrivningsbrev",
    nothing: "Pdf-filen mangler",
    path: patientPaths.patientLetter,
  },
};

/** Preview placeholder: the link is created at sending, and only the patient sees it. */
export const linkPlaceholder = { link: "(linket laves, når beskeden sendes)" };

/**
 * Creates a link to a locked referral's files and queues it to the patient; older links to the same files become
 * invalid. Throws `invalid` without files or if the channel cannot be used.
 */
export async function queuePatientLink(
  context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now" | "auditChange">,
  row: ReferralRow,
  { type, resendsId, ...about }: LinkedFilesOf & { type: number; resendsId?: number },
): Promise<void> {
  const { tx, portal, now, auditChange } = context;
  const { purpose, letterNumber } = about;
  const { sent, nothing, path } = linkWords[purpose];
  const { channel, label } = linkWays.find(({ value }) => value === type)!;
  if ((await filesOfLink(tx, portal.secrets, row, about)).length === 0)
    throw new Refusal("invalid", { text: nothing, fields: { messageType: [nothing] } });
  const { patientLinkDays: days, publicOrigin } = portal.config;
  const expiresAt = addDays(now, days);
  const token = await issuePatientLink(tx, { purpose, referralId: row.id, letterNumber }, { now, expiresAt });
  const { outboxId } = await queuePatientMessage(context, {
    kind: purpose,
    channel,
    referral: row,
    field: "messageType",
    values: { link: `${publicOrigin}${path(token)}`, dage: String(days) },
    expiresAt,
    resendsId,
  });
  await insertPatientMessage(tx, { ...about, referralId: row.id, outboxId, type }, now);
  const which = letterNumber === null ? "" : `, brev ${letterNumber}`;
  await logEvent(context, row, `${sent} i kø (${label}${which})`);
  auditChange([row.id], `${purpose} by ${channel}`);
}

/** Withdraws a link's message when its files are gone, and creates a new link when it is resent. */
export const patientLinkHooks: KindHooks = {
  ...patientHooks,
  async recheck(portal, message) {
    const { db, secrets } = portal;
    const row = await findMessageReferral(db, message.referralId);
    const about = await aboutOf(db, message.id);
    if (row && about && (await findNewestMessage(db, row.id, about)) !== message.id)
      return withdrawn("Et nyere link er sendt");
    if (row && about && (await filesOfLink(db, secrets, row, about)).length === 0)
      return withdrawn("Filerne er slettet");
    return patientHooks.recheck(portal, message);
  },
  async resend(context, message, channel) {
    const way = linkWays.find((each) => each.channel === channel);
    const about = await aboutOf(context.tx, message.id);
    if (way === undefined || about === null) throw new Refusal("invalid");
    const row = await lockReferralOf(context, message);
    await queuePatientLink(context, row, { ...about, type: way.value, resendsId: message.id });
  },
};

async function aboutOf(db: DbOrTx, outboxId: number): Promise<LinkedFilesOf | null> {
  const row = await findByMessage(db, outboxId);
  return row ? { purpose: row.purpose as FileLinkPurpose, letterNumber: row.letterNumber } : null;
}

/**
 * The present files of a link: the referral's images, a letter's images, or a letter with its images. Leaves out
 * infected files and those that name another patient, unless a person confirmed them.
 */
export async function filesOfLink(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  about: LinkedFilesOf,
): Promise<LinkedFile[]> {
  return (await allFiles(db, row, about)).filter(mayBeGiven(secrets, row));
}

/** Notice that a link lacks files naming another patient; empty if none. */
export async function leftOutText(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  about: LinkedFilesOf,
): Promise<string> {
  const files = (await allFiles(db, row, about)).filter((file) => strangersIn({ secrets }, row, file).length > 0);
  if (files.length === 0) return "";
  const names = files.map(({ fileName }) => fileName).join(", ");
  return ` Ikke med, fordi ${files.length === 1 ? "filen" : "filerne"} nævner en anden patient: ${names}.`;
}

async function allFiles(db: DbOrTx, row: ReferralRow, { purpose, letterNumber }: LinkedFilesOf): Promise<LinkedFile[]> {
  if (letterNumber === null) return purpose === "radiographLink" ? referralRadiographs(db, row) : [];
  const letter = await findLinkedLetter(db, row.id, letterNumber);
  if (letter === undefined) return [];
  const pdf = purpose === "radiographLink" || letter.pdfFileId === null ? [] : [letter.pdfFileId];
  return stored(db, [...pdf, ...letter.imageFileIds]);
}

const stored = async (db: DbOrTx, ids: readonly number[]): Promise<LinkedFile[]> =>
  (await findStoredFiles(db, ids)).map((file) => ({ ...file, storedFileId: file.id }));

/** Withheld files of a referral with these radiographs, and of its letters. */
export async function findStrangersFiles(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  radiographs: readonly LinkedFile[],
) {
  const files = [...radiographs, ...(await stored(db, await findLetterImageIds(db, row.id)))];
  return files.flatMap((file) => {
    const differences = strangersIn({ secrets }, row, file);
    const { storedFileId, fileName } = file;
    return differences.length === 0 ? [] : [{ storedFileId, fileName, differences }];
  });
}
