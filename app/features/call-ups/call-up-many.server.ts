import { z } from "zod";
import { change, lookUp, read, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { composerOf, composeWays } from "~/features/patient-messages/queue-message.server";
import { findReferrals, lockReferral } from "~/features/referrals/store/referral-store.server";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { paths, serverPaths } from "~/paths";
import { fullName } from "~/text/names";
import { callUpType, queueCallUp, wayOf, withdrawPlanned } from "./send-call-up.server";
import { PLANNED } from "./call-up-states";
import { countPlanned } from "./call-up-store.server";

const MAX_SELECTED = 100;

export const referralIds = z
  .string()
  .regex(/^\d{1,12}(-\d{1,12})*$/, "Vælg henvisningerne i listen igen.")
  .transform((text) => [...new Set(text.split("-").map(Number))])
  .refine((list) => list.length <= MAX_SELECTED, `Vælg højst ${MAX_SELECTED} ad gangen.`);

/** 'Indkald de valgte': redirects to the preview. Throws `invalid` when nobody is picked. */
export const askCallUps = lookUp({
  name: "askCallUps",
  permission: "patientMessage.send",
  input: z.object({
    pick: z.array(wholeNumber.positive()).max(MAX_SELECTED).optional(),
    incallType: callUpType,
  }),
  async run(_context, { pick = [], incallType }) {
    if (pick.length === 0) throw new Refusal("invalid", { text: "Vælg mindst én henvisning i listen først." });
    return { to: serverPaths.callUpMany(pick, incallType) };
  },
});

/**
 * Preview of the messages by one channel, with reasons for those that cannot be sent. Referrals outside the scope are
 * left out.
 */
export const readCallUpPreview = read({
  name: "readCallUpPreview",
  permission: "patientMessage.send",
  input: z.object({ nr: referralIds, type: callUpType }),
  async run({ db, actor, portal, auditRead }, { nr, type }) {
    const judged = await judgeAll(db, portal, { actor, nr, type });
    auditRead(judged.map(({ row }) => row.id));
    return {
      type,
      patients: judged.map(({ row, ...rest }) => ({ id: row.id, name: fullName(row), ...rest })),
    };
  },
});

/**
 * Queues a call-up for everyone who can be reached by the channel and names the rest. Throws `invalid` when nobody can.
 */
export const sendCallUps = change({
  name: "sendCallUps",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({ nr: referralIds, incallType: callUpType }),
  async run(context, { nr, incallType: type }) {
    const { tx, actor, portal, auditChange } = context;
    const judged = await judgeAll(tx, portal, { actor, nr, type });
    const going = judged.filter(({ obstacle, missing }) => obstacle === null && missing.length === 0);
    if (going.length === 0) throw new Refusal("invalid", { text: "Ingen af de valgte kan indkaldes på den måde." });
    const queued: number[] = [];
    for (const { row } of going) {
      await queueCallUp(context, await lockReferral(tx, actor, row.id), { type, mayOverlap: false });
      queued.push(row.id);
    }
    auditChange(queued, `call-ups by ${wayOf(type).channel}`);
    return { to: `${paths.callUps}?indkaldt=${queued.join("-")}` };
  },
});

/** 'Fortryd': withdraws the unsent call-ups. Throws `conflict` when none is left. */
export const withdrawCallUps = change({
  name: "withdrawCallUps",
  permission: "patientMessage.send",
  input: z.object({ nr: referralIds }),
  async run(context, { nr }) {
    const { tx, actor, auditChange } = context;
    const withdrawn: number[] = [];
    for (const row of await findReferrals(tx, actor, nr))
      if (await withdrawPlanned(context, await lockReferral(tx, actor, row.id))) withdrawn.push(row.id);
    if (withdrawn.length === 0)
      throw new Refusal("conflict", {
        text: "Indkaldelserne er sendt, eller ved at blive det, og kan ikke tages tilbage.",
      });
    auditChange(withdrawn, "call-ups withdrawn");
    const left = nr.length - withdrawn.length;
    const some =
      withdrawn.length === 1 ? "1 indkaldelse er annulleret." : `${withdrawn.length} indkaldelser er annulleret.`;
    return {
      to: paths.callUps,
      ...succeeded(left === 0 ? some : `${some} ${left} var sendt.`),
    };
  },
});

export async function countWithdrawable(db: DbOrTx, actor: Actor, nr: number[]): Promise<number> {
  const rows = await findReferrals(db, actor, nr);
  return countPlanned(db, idsOf(rows));
}

async function judgeAll(db: DbOrTx, portal: Portal, { actor, nr, type }: { actor: Actor; nr: number[]; type: number }) {
  const compose = await composerOf(db, portal, ["callUp"]);
  const judged = [];
  for (const row of await findReferrals(db, actor, nr)) {
    const [way] = await composeWays(portal, row, compose, { kind: "callUp", ways: [wayOf(type)] });
    const { obstacle, subject, body, missing } = way!;
    const isPlanned = row.callUpStatus === PLANNED;
    judged.push({ row, obstacle: isPlanned ? ("planned" as const) : obstacle, missing, subject, body });
  }
  return judged;
}
