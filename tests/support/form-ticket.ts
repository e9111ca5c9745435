import { type FormSubject, sealTicket } from "~/access/form-ticket.server";
import type { Site } from "~/access/caller";
import type { Person } from "~/access/actor";
import { createSecrets } from "~/access/secrets.server";
import { SECRET } from "../../scripts/test-server.mjs";
import type { DemoPortal } from "./portals/demo-portal";

type Fields = Record<string, string | number>;
type Asked = Pick<DemoPortal, "inDatabase">;

const secrets = createSecrets(SECRET, null);

function idOf(portal: Asked, userName: string): number {
  const find = "select id from user where user_name = ?";
  return portal.inDatabase((database) => (database.prepare(find).get(userName) as { id: number }).id);
}

/** The ticket of a page rendered for this person. */
export const pageTicket = (portal: Asked, userName: string, subject: FormSubject = {}, site: Site = "local"): string =>
  seal(idOf(portal, userName), subject, site);

/** A form as this person's page submits it, with subject and versions in its ticket. */
export const pageForm = (portal: Asked, userName: string, fields: Partial<Fields>, site?: Site): Fields =>
  formOf(idOf(portal, userName), fields, site);

export function formOf(
  personId: number,
  { referralId, version, seenVersion, ...fields }: Partial<Fields>,
  site: Site = "local",
): Fields {
  const subject = {
    fields: given({ referralId, version }),
    versions: numbers(given({ version: seenVersion, statusVersion: seenVersion })),
  };
  return { ticket: seal(personId, subject, site), ...given(fields) };
}

const seal = (id: number, subject: FormSubject, site: Site): string =>
  sealTicket(secrets, { actor: { kind: "person", id } as Person, site, address: "", sessionId: null }, subject)!;

const given = (fields: Partial<Fields>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );

const numbers = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Number(value)]));
