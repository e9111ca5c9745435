import { subDays } from "date-fns";
import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { change, external } from "~/access/operation.server";
import { exchangeLink, findExpiredLink, revokePatientLinks } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { throttleAddress } from "~/access/throttle.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findReferral, insertVisitLogEntry, lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { confirmOwner } from "~/files/stored-file-store.server";
import { filesOfLink, findStrangersFiles, leftOutText } from "./files-of-link.server";
import { linkWords, queuePatientLink } from "./queue-patient-link.server";
import type { FileLinkPurpose } from "./store.server";

/**
 * 'Filen er patientens': a person states that a file belongs to the patient although it names another, so that links
 * and the archive include it. Throws `fileMissing` for a file that is not withheld, and `notInScope`.
 */
export const confirmFileOwner = change({
  name: "confirmFileOwner",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int(), storedFileId: z.coerce.number().int() }),
  async run({ tx, actor, person, portal, now, auditChange }, { referralId, storedFileId }) {
    const row = await lockReferral(tx, actor, referralId);
    const files = await findStrangersFiles(tx, portal.secrets, row);
    const file = files.find((each) => each.storedFileId === storedFileId);
    if (file === undefined) throw new Refusal("fileMissing");
    await confirmOwner(tx, storedFileId, person.id, now);
    const event = `${file.fileName} er bekræftet som patientens`;
    await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
    auditChange([row.id], `file ${storedFileId} confirmed as the patient's`);
    return { flash: { tone: "success" as const, text: `${event}, og kommer med i patientens link.` } };
  },
});

/** 'Spær links': revokes a referral's file links for good. Throws `notInScope`. */
export const revokeFileLinks = change({
  name: "revokeFileLinks",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ tx, actor, outbox, now, auditChange }, { referralId }) {
    const row = await lockReferral(tx, actor, referralId);
    for (const purpose of ["radiographLink", "letterFilesLink"] as const) {
      await revokePatientLinks(tx, { referralId: row.id, purpose }, "staff", now);
      // An unsent message would carry a revoked link.
      await outbox.withdraw(purpose, [row.id]);
    }
    await insertVisitLogEntry(
      tx,
      actor,
      { referralId: row.id, status: row.status, event: "Patientens links er spærret" },
      now,
    );
    auditChange([row.id], "links revoked");
    return {
      flash: { tone: "success" as const, formId: "revokeFileLinks", text: "Patientens links er spærret." },
    };
  },
});

const CHOOSE = "Vælg, hvordan linket skal sendes.";
const types: readonly number[] = linkWays.map(({ value }) => value);

const link = z.object({
  referralId: z.coerce.number().int(),
  messageType: z.coerce
    .number<unknown>(CHOOSE)
    .int()
    .refine((value) => types.includes(value), CHOOSE),
});

/**
 * 'Send Røntgen': a link to the referral's or a letter's radiographs, by 0 e-Boks or 1 SMS. Throws `invalid` without
 * files or if the channel cannot be used, and `notInScope`.
 */
export const sendRadiographLink = change({
  name: "sendRadiographLink",
  permission: "patientMessage.send",
  idempotent: true,
  input: link.extend({ letterNumber: z.coerce.number().int().positive().nullish() }),
  async run(context, { referralId, letterNumber = null, messageType }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    await queuePatientLink(context, row, { purpose: "radiographLink", letterNumber, type: messageType });
    const left = await leftOutText(context.tx, context.portal.secrets, row, {
      purpose: "radiographLink",
      letterNumber,
    });
    const text = `${linkWords.radiographLink.sent} er sat i kø.${left}`;
    return { flash: { tone: "success" as const, formId: "sendRadiographLink", text } };
  },
});

/** SMS first, because the patient has the phone at hand. */
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
    const isExchanged = await exchangeLink(tx, token, purpose, { now, oldest: subDays(now, 1) });
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
  if (found === null || found.deleted_at !== null) return;
  const row = await lockReferral(tx, actor, actor.referralId);
  const way = SMS_FIRST.find(({ channel }) => obstacleTo(portal, { kind: purpose, channel }, row) === null);
  if (way === undefined || (await filesOfLink(tx, portal.secrets, row, about)).length === 0) return;
  await queuePatientLink(context, row, { ...about, type: way.value });
}
