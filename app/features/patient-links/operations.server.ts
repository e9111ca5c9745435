import { subDays } from "date-fns";
import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { change, type ChangeContext, external, ofReferral, wholeNumber, succeeded } from "~/access/operation.server";
import { findLiveLinks, markRenewed } from "~/access/patient-link-store.server";
import { findExpiredLink, revokePatientLinks } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { throttleAddress } from "~/access/throttle.server";
import { obstacleTo, type Composer, wayField, composeWays } from "~/features/patient-messages/queue-message.server";
import { linkWays, obstacleTexts } from "~/features/patient-messages/ways";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { confirmOwner } from "~/files/stored-file-store.server";
import {
  referralRadiographs,
  mayBeGiven,
  radiographsAmong,
} from "~/features/referrals/details/linked-radiographs.server";
import {
  filesOfLink,
  findStrangersFiles,
  leftOutText,
  linkPlaceholder,
  linkWords,
  queuePatientLink,
} from "./queue-patient-link.server";
import { type FileLinkPurpose, findLetterMessages, findPatientMessages } from "./store.server";
import type { DbOrTx } from "~db/connection.server";
import { type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import type { ReadContext } from "~/access/operation-context.server";

/**
 * 'Filen er patientens': a person states that a file belongs to the patient although it names another, so that links
 * and the archive include it. Throws `fileMissing` for a file that is not withheld, and `notInScope`.
 */
export const confirmFileOwner = change({
  name: "confirmFileOwner",
  permission: "patientMessage.send",
  input: z.object({ referralId: wholeNumber, storedFileId: wholeNumber }),
  async run(context, { referralId, storedFileId }) {
    const { tx, actor, person, portal, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const files = await findStrangersFiles(tx, portal.secrets, row, await referralRadiographs(tx, row));
    const file = files.find((each) => each.storedFileId === storedFileId);
    if (file === undefined) throw new Refusal("fileMissing");
    await confirmOwner(tx, storedFileId, person.id, now);
    const event = `${file.fileName} er bekræftet som patientens`;
    await logEvent(context, row, event);
    auditChange([row.id], `file ${storedFileId} confirmed as the patient's`);
    return succeeded(`${event}, og kommer med i patientens link.`);
  },
});

/** 'Spær links': revokes a referral's links to files and to the case for good. Throws `notInScope`. */
export const revokeFileLinks = change({
  name: "revokeFileLinks",
  permission: "patientMessage.send",
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, outbox, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    for (const purpose of ["radiographLink", "letterFilesLink", "caseLink"] as const) {
      await revokePatientLinks(tx, { referralId: row.id, purpose }, "staff", now);
      await outbox.withdraw(purpose, [row.id]);
    }
    await logEvent(context, row, "Patientens links er spærret");
    auditChange([row.id], "links revoked");
    return succeeded("Patientens links er spærret.", { formId: "revokeFileLinks" });
  },
});

/**
 * 'Send Røntgen': a link to the referral's or a letter's radiographs, by 0 e-Boks or 1 SMS. Throws `invalid` without
 * files or if the channel cannot be used, and `notInScope`.
 */
export const sendRadiographLink = change({
  name: "sendRadiographLink",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    referralId: wholeNumber,
    messageType: wayField(linkWays, "Vælg, hvordan linket skal sendes."),
    letterNumber: wholeNumber.positive().nullish(),
  }),
  async run(context, { referralId, letterNumber = null, messageType }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const link = { purpose: "radiographLink", letterNumber, type: messageType } as const;
    await queuePatientLink(context, row, link);
    const left = await leftOutText(context.tx, context.portal.secrets, row, link);
    const text = `${linkWords.radiographLink.sent} er sat i kø.${left}`;
    return succeeded(text, { formId: "sendRadiographLink" });
  },
});

const SMS_FIRST = linkWays.toReversed();

/**
 * Exchanges an expired link: a new one goes to the patient's known address, once a day, never after staff revoked it.
 * The answer is the same for every token. Throws `tooManyAttempts`.
 */
export const requestNewLink = external({
  name: "requestNewLink",
  permission: "public",
  input: z.object({ token: z.string().max(100), purpose: z.enum(["radiographLink", "letterFilesLink"]) }),
  prepare: ({ portal, caller }) => throttleAddress(portal, "newLink", caller.address),
  async run({ tx, outbox, portal, now, auditChange }, { token, purpose }) {
    const isExchanged = await markRenewed(tx, token, purpose, { now, oldest: subDays(now, 1) });
    const actor = isExchanged ? await findExpiredLink(tx, { token, purpose }) : null;
    if (actor !== null) await sendNewLink({ tx, outbox, portal, now, auditChange, actor }, purpose);
    const { path } = linkWords[purpose];
    return { to: `${path(encodeURIComponent(token))}&bedt=1` };
  },
});

type Context = Parameters<typeof queuePatientLink>[0] & { actor: PatientToken };

async function sendNewLink(context: Context, purpose: FileLinkPurpose): Promise<void> {
  const { tx, actor, portal } = context;
  const about = { purpose, letterNumber: actor.letterNumber };
  const found = await findReferral(tx, actor, actor.referralId).catch(() => null);
  if (found === null || found.deletedAt !== null) return;
  const row = await lockReferral(tx, actor, actor.referralId);
  const way = SMS_FIRST.find(({ channel }) => obstacleTo(portal, { kind: purpose, channel }, row) === null);
  if (way === undefined || (await filesOfLink(tx, portal.secrets, row, about)).length === 0) return;
  await queuePatientLink(context, row, { ...about, type: way.value });
}

export async function newestLetterMessages(db: DbOrTx, referralIds: readonly number[]) {
  const newest = new Map<string, Awaited<ReturnType<typeof findLetterMessages>>[number]>();
  for (const message of await findLetterMessages(db, referralIds)) {
    const key = letterKey(message.referralId, message.letterNumber ?? 0);
    if (!newest.has(key)) newest.set(key, message);
  }
  return newest;
}

export const letterKey = (referralId: number, letterNumber: number) => `${referralId}-${letterNumber}`;

/** @param files all files of the referral */
export async function patientLinksOf(
  { db, portal, now }: Pick<ReadContext, "db" | "portal" | "now">,
  row: ReferralRow,
  compose: Composer,
  files: readonly ReferralFile[],
) {
  const values = { ...linkPlaceholder, dage: String(portal.config.patientLinkDays) };
  const radiographs = radiographsAmong(files);
  const live = await findLiveLinks(db, row.id, now);
  return {
    fileCount: radiographs.filter(mayBeGiven(portal.secrets, row)).length,
    strangers: await findStrangersFiles(db, portal.secrets, row, radiographs),
    ways: await composeWays(portal, row, compose, { kind: "radiographLink", ways: linkWays, values }),
    sent: (await findPatientMessages(db, row.id)).map((line) => ({
      id: line.id,
      purpose: line.purpose,
      letterNumber: line.letterNumber,
      type: line.messageType,
      status: line.status,
      outcome: line.sendingOutcome,
      createdAt: line.createdAt,
      sentAt: line.sendDate,
    })),
    goodUntil:
      live
        .map(({ expiresAt }) => expiresAt)
        .sort()
        .at(-1) ?? null,
  };
}

/**
 * Sends one radiograph link by e-Boks, else by SMS, and returns the result as a sentence. A failure must not prevent
 * saving.
 */
export async function sendRadiographsAsPlanned(context: ChangeContext, row: ReferralRow): Promise<string> {
  const { tx, portal } = context;
  const about = { purpose: "radiographLink", letterNumber: null } as const;
  if ((await filesOfLink(tx, portal.secrets, row, about)).length === 0)
    return "Der er ingen røntgenbilleder at sende til patienten.";
  const ways = linkWays.map((way) => ({
    ...way,
    obstacle: obstacleTo(portal, { kind: about.purpose, channel: way.channel }, row),
  }));
  const way = ways.find(({ obstacle }) => obstacle === null);
  if (way === undefined) {
    const reasons = ways.map(({ label, obstacle }) => `${label}: ${obstacleTexts[obstacle!]}`);
    return `Røntgenbillederne kan ikke sendes til patienten (${reasons.join("; ")}).`;
  }
  await queuePatientLink(context, row, { ...about, type: way.value });
  return `Patienten får et link til røntgenbillederne (${way.label}).`;
}
