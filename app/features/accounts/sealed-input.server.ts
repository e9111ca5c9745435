import { z } from "zod";
import { addHours, subHours } from "date-fns";
import type { DbOrTx } from "~db/connection.server";
import { openTicket } from "~/access/form-ticket.server";
import { lookUp } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { findMergedPerson, findSessionOwner } from "~/access/session-store.server";
import { throttleAddress } from "~/access/throttle.server";
import { safeReturn } from "./return-path";

const HOURS = 8;
const LEFT_OUT = new Set(["sentTo", "password", "newPassword", "repeatPassword", "currentPassword"]);

export const MAX_SEALED_LENGTH = 400_000;

export const typedValues = z.record(z.string(), z.unknown());

const sealedShape = z.object({ path: z.string(), formId: z.string(), values: typedValues, until: z.number() });
interface RestoredInput extends Pick<z.output<typeof sealedShape>, "path" | "formId" | "values"> {
  /** When it was typed: the moment it was sealed, in UTC. */
  typedAt: string;
}

/**
 * Seals what was typed when the session had expired; after sign-in only the same person gets it back. After a merge the
 * form's ticket identifies the owner. `sealed` is null when the owner is unknown or the text is too long. Nothing is
 * stored before sign-in.
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

async function openerOf(
  db: DbOrTx,
  secrets: Secrets,
  { ticket }: z.output<typeof typedValues>,
): Promise<number | null> {
  const opened = typeof ticket === "string" ? openTicket(secrets, ticket) : null;
  return opened === null ? null : findMergedPerson(db, opened.personId);
}

export function sentTo(values: z.output<typeof typedValues>): string {
  const address = values.sentTo ?? values.to;
  return safeReturn(typeof address === "string" ? address : null);
}

/** Seals a form for one person without passwords and files. Null when longer than `MAX_SEALED_LENGTH`. */
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

/** Null when the seal is invalid, another person's, or too old. */
export function restoreSealed(secrets: Secrets, personId: number, sealed: string, now: Date): RestoredInput | null {
  const plain = secrets.decrypt("seal", sealed, contextOf(personId));
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  if (!parsed?.success || parsed.data.until <= now.getTime()) return null;
  const { until, ...input } = parsed.data;
  return { ...input, typedAt: subHours(until, HOURS).toISOString() };
}

const contextOf = (personId: number) => `form:${personId}`;

/** The field `to`: where to go afterwards. An invalid address becomes the start page. */
export const returnPath = z.string().nullish().catch(null).transform(safeReturn);
