import type { ChangeContext } from "~/access/operation.server";
import { insertUser } from "~/features/accounts/account-administration.server";
import { newUserMail } from "~/features/accounts/new-user-mail.server";
import { ACTIVE } from "~/features/directory/activity";
import { COUNTS } from "~/lists/read-page.server";
import { rolesOfKind } from "./role-names";
import { users } from "./user-list.server";

interface MadeUser {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  isStaff: boolean;
  isSurgeon?: boolean;
  isSecretary: boolean;
  phone: string | null;
  mobilePhone: string | null;
  dentistExternalId: string | null;
  ediDentistId?: string | null;
  status?: number;
  clinicIds: number[];
  /** Assigned by somebody else, so it must be changed at the first sign-in. */
  passwordHash?: string | null;
  isInvited: boolean;
}

/** Creates a user, by hand or from a file; returns whether a link was mailed. Throws `userNameTaken`. */
export async function addUser(
  { tx, person, portal, outbox, now }: Pick<ChangeContext, "tx" | "person" | "portal" | "outbox" | "now">,
  { isStaff, isSurgeon = false, isSecretary, isInvited, passwordHash = null, status = ACTIVE, ...user }: MadeUser,
): Promise<{ id: number; isInvited: boolean }> {
  const roles = rolesOfKind({ isStaff, isSurgeon, isSecretary });
  const id = await insertUser(
    tx,
    { ...user, status, roles, passwordHash, mustChangePassword: passwordHash !== null, creatorId: person.id },
    now,
  );
  const isSent = isInvited && passwordHash === null && status === ACTIVE;
  if (isSent) await outbox.email(await newUserMail(tx, portal, { ...user, id, roles }, now));
  return { id, isInvited: isSent };
}

/** Refreshes the list's counts after users were created. */
export function invalidateUsers({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(`${COUNTS} ${users.name}`));
}
