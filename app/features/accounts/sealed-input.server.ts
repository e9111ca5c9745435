import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { addHours } from "date-fns";
import { openTicket } from "~/access/form-ticket.server";
import { lookUp } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { findMergedPerson, findSessionOwner } from "~/access/session-store.server";
import { throttleAddress } from "~/access/throttle.server";
import { safeReturn } from "./return-path";

const HOURS = 8;
const LEFT_OUT = new Set(["sentTo", "password", "newPassword", "repeatPassword", "currentPassword"]);

/** Characters of a seal: what still fits into the sign-in form that carries it. */
export const MAX_SEALED_LENGTH = 400_000;

/** A form of any page, as it was typed. */
export const typedValues = z.record(z.string(), z.unknown());

const sealedShape = z.object({ path: z.string(), formId: z.string(), values: typedValues, until: z.number() });
export type RestoredInput = Pick<z.output<typeof sealedShape>, "path" | "formId" | "values">;

/**
 * What was typed into a form whose session had run out: sealed into the sign-in page, given back after it to the person whose session
 * it was, and to nobody else who signs in at the same browser. Whoever was merged away meanwhile has no session left: the form's ticket says whose it was. `sealed` is null when it
 * cannot be told whose it was, or when it is too long. Nothing is stored before the person has signed in.
 */
export const sealPendingForm = lookUp({
  name: "sealPendingForm",
  permission: "public",
  input: typedValues,
  async run({ portal, caller, db, now }, values) {
    await throttleAddress(portal, "sealPendingForm", caller.address);
    const owner =
      (caller.cookieId === undefined ? null : await findSessionOwner(db, caller.cookieId)) ??
      (await openerOf(db, portal.secrets, values));
    return { data: { sealed: owner === null ? null : sealInput(portal.secrets, owner, sentTo(values), values, now) } };
  },
});

/** The person that a form's page was made for, as they are by now. */
async function openerOf(
  db: DbOrTx,
  secrets: Secrets,
  { ticket }: z.output<typeof typedValues>,
): Promise<number | null> {
  const opened = typeof ticket === "string" ? openTicket(secrets, ticket) : null;
  return opened === null ? null : findMergedPerson(db, opened.personId);
}

/** The page that a form was sent to; its own `to` may be another, for when it is saved. */
export function sentTo(values: z.output<typeof typedValues>): string {
  const address = values.sentTo ?? values.to;
  return safeReturn(typeof address === "string" ? address : null);
}

/** Seals a form for one person; passwords and files stay out. Null when it is longer than `MAX_SEALED_LENGTH`. */
export function sealInput(
  secrets: Secrets,
  personId: number,
  path: string,
  values: z.output<typeof typedValues>,
  now: Date,
): string | null {
  const withoutSecrets = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !LEFT_OUT.has(name) && !(value instanceof File)),
  );
  const formId = String(values.formId ?? values.intent ?? values.defaultIntent ?? "");
  const sealed = secrets.encrypt(
    "seal",
    JSON.stringify({ path, formId, values: withoutSecrets, until: addHours(now, HOURS).getTime() }),
    contextOf(personId),
  );
  return sealed.length > MAX_SEALED_LENGTH ? null : sealed;
}

/** Null when the seal is broken, somebody else's or too old. */
export function restoreSealed(secrets: Secrets, personId: number, sealed: string, now: Date): RestoredInput | null {
  const plain = secrets.decrypt("seal", sealed, contextOf(personId));
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  return parsed?.success && parsed.data.until > now.getTime() ? parsed.data : null;
}

const contextOf = (personId: number) => `form:${personId}`;
