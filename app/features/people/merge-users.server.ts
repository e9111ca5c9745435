import { invalidateDirectory } from "~/features/directory/operations.server";
import { change, type ChangeContext, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { mergedMail, mailAccountChange } from "~/features/accounts/account-mail.server";
import { endAccessOf } from "~/features/accounts/access-token-store.server";
import { replaceRoles } from "~/features/accounts/store.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { mergeForm } from "~/features/merging/merge-form.schema.server";
import { beginMerge } from "~/features/merging/operations.server";
import { findWinnerValues } from "~/features/merging/store.server";
import { controlsOf, paths } from "~/paths";
import { mayBeMerged } from "./merge-picks";
import { lockUsersToMerge, type UserToMerge, updateUserRow } from "./people-store.server";
import { rolesOfKind } from "./role-names";
import {
  accountFields,
  ediDentistId,
  ediDentistNumber,
  ediIdOf,
  flag,
  ofReferrer,
  statusField,
} from "./user.schema.server";
import { emailKey } from "~/text/fields.server";
import { idsOf } from "~db/connection.server";

const { firstName, lastName, email, isSecretary } = accountFields;

/**
 * 'Gem fusioneringen': one user stays with the chosen values and their own user name and password; the others become
 * inactive, and a job moves their data. Throws `notInScope`, `invalid` and `conflict`.
 */
export const mergeUsers = change({
  name: "mergeUsers",
  permission: "directory.merge",
  input: mergeForm({
    firstName,
    lastName,
    email,
    ...ofReferrer,
    status: statusField,
    isSecretary,
    ediDentistId,
    ediDentistNumber,
    sendEndingLettersViaEdi: flag,
  }),
  async run(context, { keepId, pick, confirmed: _yes, here = paths.users, ediDentistNumber: number, ...chosen }) {
    const { tx, now, concerns, auditChange } = context;
    const users = await lockUsersToMerge(tx, idsOf(pick));
    const ediId = { ediDentistId: chosen.ediDentistId, ediDentistNumber: number };
    const values = {
      ...chosen,
      ediDentistId: ediIdOf(
        ediId,
        users.map(({ ediDentistId: id }) => id),
      ),
    };
    const winner = users.find(({ id }) => id === keepId);
    if (!winner || users.length < pick.length) throw new Refusal("notInScope", { text: "En af brugerne findes ikke." });
    refuseIncompatible(users);
    if (pick.some(({ id, version }) => version !== null && users.find((user) => user.id === id)!.version !== version))
      throw conflict();
    const losers = users.filter((user) => user !== winner);
    concerns({ userId: winner.id });
    const before = await findWinnerValues(tx, "user", winner.id);
    const roles = rolesOfKind({ isStaff: false, isSurgeon: false, isSecretary: values.isSecretary }, winner.roles);
    if (!(await updateUserRow(tx, winner, { ...values, userName: winner.userName }, now))) throw conflict();
    if (roles !== winner.roles) await replaceRoles(tx, winner.id, roles);
    const after = await findWinnerValues(tx, "user", winner.id);
    await beginMerge(context, { kind: "user", winnerId: winner.id, losers, before, after });
    await endAccessAndNotify(context, winner, values);
    if (values.status === ACTIVE) await notifyMerged(context, losers, winner);
    auditChange([], `users ${idsOf(losers).join(", ")} merged into ${winner.id}`);
    invalidateDirectory(context);
    return {
      to: controlsOf(paths.users, here),
      ...succeeded(
        `${losers.map(({ userName }) => userName).join(" og ")} er samlet med ${winner.userName}. Henvisningerne flyttes i baggrunden.`,
      ),
    };
  },
});

function refuseIncompatible(users: UserToMerge[]): void {
  const merged = users.find(({ isMerged }) => isMerged);
  if (users.some(({ isStaff }) => isStaff))
    throw new Refusal("invalid", { text: "Admin og Surgeon kan ikke fusioneres." });
  if (merged) throw new Refusal("conflict", { text: `${merged.userName} er allerede samlet med en anden.` });
  if (!mayBeMerged(users))
    throw new Refusal("invalid", { text: "Kun brugere, der har en klinik til fælles, kan fusioneres." });
}

/** As after any change by staff: a new address or deactivation ends sessions, and both addresses are notified. */
async function endAccessAndNotify(
  context: ChangeContext,
  winner: UserToMerge,
  values: { email: string; status: number },
): Promise<void> {
  const isOther = emailKey(winner.email) !== emailKey(values.email);
  if (values.status === INACTIVE || isOther) await endAccessOf(context.tx, winner.id, context.now);
  if (isOther) await mailAccountChange(context, winner, ["email"], { addresses: [winner.email, values.email] });
}

async function notifyMerged(
  { tx, portal, outbox }: ChangeContext,
  losers: UserToMerge[],
  winner: UserToMerge,
): Promise<void> {
  const notified = losers.filter((loser) => loser.status === ACTIVE && loser.email !== "");
  await outbox.emails(await Promise.all(notified.map((loser) => mergedMail(tx, portal, loser, winner))));
}

const conflict = () =>
  new Refusal("conflict", {
    text: "En af brugerne er ændret, siden du valgte dem. Se, hvad der er gemt nu, og prøv igen.",
  });
