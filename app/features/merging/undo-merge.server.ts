import { addDays } from "date-fns";
import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { accountMails } from "~/features/accounts/account-mail.server";
import { endAccessOf, findAccount } from "~/features/accounts/account-administration.server";
import { INACTIVE } from "~/features/directory/activity";
import { fromMoment } from "~/text/dates";
import { invalidateMerged } from "./invalidate-merged.server";
import { revertMemberships } from "./member-store.server";
import { beginUndo, isMergedAway, lockRun, restoreLosers } from "./merge-run-store.server";
import { recordOverwrittenValue } from "./moved-store.server";
import { UNDO_DAYS } from "./merged-columns";
import { findWinnerValues, restoreWinner, type WinnerValues } from "./winner-store.server";

type Run = NonNullable<Awaited<ReturnType<typeof lockRun>>>;

/**
 * 'Fortryd fusioneringen', within 30 days. Unchanged values and rows are restored, rows by the job; changed ones stay
 * and are listed. Throws `notInScope` and `conflict`.
 */
export const undoMerge = change({
  name: "undoMerge",
  permission: "directory.merge",
  input: z.object({ runId: z.coerce.number().int() }),
  async run(context, { runId }) {
    const { tx, now, person, auditChange } = context;
    const run = await lockRun(tx, runId);
    if (!run) throw new Refusal("notInScope", { text: "Fusioneringen findes ikke, eller du har ikke adgang til den." });
    await refuseLate(context, run);
    await beginUndo(tx, run.id, { personId: person.id, now });
    await restoreValues(context, run);
    await restoreLosers(tx, run, now);
    await revertMemberships(tx, run);
    auditChange([], `merge ${run.id} undone`);
    invalidateMerged(context);
    return {
      flash: {
        tone: "success" as const,
        text: "Fusioneringen er fortrudt. Det flyttede er på vej tilbage; det, der ikke kan flyttes, står i historikken.",
      },
    };
  },
});

async function refuseLate({ tx, now }: ChangeContext, run: Run): Promise<void> {
  if (run.state === "undoing" || run.state === "undone")
    throw new Refusal("conflict", { text: "Fusioneringen er allerede fortrudt." });
  if (addDays(fromMoment(run.at), UNDO_DAYS) < now)
    throw new Refusal("conflict", { text: `En fusionering kan kun fortrydes i ${UNDO_DAYS} dage.` });
  if (await isMergedAway(tx, run.kind, run.winner_id))
    throw new Refusal("conflict", { text: "Der er fusioneret igen siden. Fortryd den nyeste fusionering først." });
}

/** Restores values that the merge chose and nobody has changed since. */
async function restoreValues({ tx, now, outbox, portal }: ChangeContext, run: Run): Promise<void> {
  const [before, after] = [run.values_before, run.values_after].map((json) => JSON.parse(json) as WinnerValues);
  const standing = await findWinnerValues(tx, run.kind, run.winner_id);
  const chosen = Object.keys(after!).filter((column) => before![column] !== after![column]);
  const [back, left] = [
    chosen.filter((column) => standing[column] === after![column]),
    chosen.filter((column) => standing[column] !== after![column]),
  ];
  for (const column of left) await recordOverwrittenValue(tx, run, `${run.kind}.${column}`);
  if (back.length === 0) return;
  const values = Object.fromEntries(back.map((column) => [column, before![column]!]));
  await restoreWinner(tx, run.kind, run.winner_id, values, now);
  if (run.kind === "clinic") return;
  if (values.status === INACTIVE || "email" in values) await endAccessOf(tx, run.winner_id, now);
  if (!("email" in values)) return;
  const user = await findAccount(tx, run.winner_id);
  const addresses = [before!, after!].map(({ email }) => String(email));
  await outbox.emails(await accountMails(tx, portal, user, ["email"], addresses, { now }));
}
