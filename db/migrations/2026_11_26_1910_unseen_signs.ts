import { type Kysely, sql } from "kysely";
import { cleanEmail, emailKey } from "../../app/text/email.server";
import { fullName, nameTokens, searchKey, sortKey } from "../../app/text/names";
import { cleanLine } from "../../app/text/normalise";
import { isDuplicate } from "../connection.server";

/** Signs of the category Cf that word processors and chat programs leave in names. */
const UNSEEN = [
  ..."\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff",
];

type Row = { id: number } & Record<string, unknown>;

/**
 * Rewrites names with invisible signs, their keys and words, and e-mail addresses whose domain is in punycode. A user name or a patient's
 * address that is thereby the same as another's keeps its key, since no two may share one.
 */
export async function up(db: Kysely<any>) {
  for (const row of await rowsWith(db, "user", ["first_name", "last_name", "user_name"], UNSEEN)) {
    const person = { first_name: cleanLine(String(row.first_name)), last_name: cleanLine(String(row.last_name)) };
    const userName = cleanLine(String(row.user_name));
    const name = fullName(person);
    await update(db, "user", row.id, { ...person, name_sort: sortKey(name), name_norm: searchKey(name) });
    await unlessTaken(update(db, "user", row.id, { user_name: userName, user_name_norm: searchKey(userName) }));
    await rewriteTokens(db, "user", row.id, ["first_name", "last_name", "user_name", "email", "dentist_external_id"]);
  }
  for (const row of await rowsWith(db, "clinic", ["name"], UNSEEN)) {
    const name = cleanLine(String(row.name));
    await update(db, "clinic", row.id, { name, name_sort: sortKey(name), name_norm: searchKey(name) });
    await rewriteTokens(db, "clinic", row.id, ["name", "city", "zip", "email", "phone"]);
  }
  for (const row of await rowsWith(db, "referral", ["first_name", "last_name"], UNSEEN)) {
    const person = { first_name: cleanLine(String(row.first_name)), last_name: cleanLine(String(row.last_name)) };
    const name = fullName(person);
    await update(db, "referral", row.id, { ...person, name_sort: sortKey(name) });
    await replaceTokens(db, "referral_name_token", "referral_id", row.id, nameTokens(name));
  }
  for (const table of ["user", "clinic"])
    for (const row of await rowsWith(db, table, ["email"], ["@xn--", ".xn--"]))
      await update(db, table, row.id, { email: cleanEmail(String(row.email)) });
  for (const row of await rowsWith(db, "referral", ["email"], ["@xn--", ".xn--"])) {
    const email = String(row.email);
    await update(db, "referral", row.id, { email: cleanEmail(email), email_norm: emailKey(email) });
  }
  for (const row of await rowsWith(db, "patient", ["email_norm"], ["@xn--", ".xn--"]))
    await unlessTaken(update(db, "patient", row.id, { email_norm: emailKey(String(row.email_norm)) }));
}

async function rowsWith(db: Kysely<any>, table: string, columns: string[], parts: string[]): Promise<Row[]> {
  return (await db
    .selectFrom(table)
    .selectAll()
    .where((eb) =>
      eb.or(columns.flatMap((column) => parts.map((part) => sql<boolean>`${sql.ref(column)} like ${`%${part}%`}`))),
    )
    .execute()) as Row[];
}

async function update(db: Kysely<any>, table: string, id: number, values: Record<string, string>): Promise<void> {
  await db.updateTable(table).set(values).where("id", "=", id).execute();
}

const unlessTaken = (written: Promise<void>) =>
  written.catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
  });

async function rewriteTokens(db: Kysely<any>, table: string, id: number, columns: string[]): Promise<void> {
  const row = (await db.selectFrom(table).select(columns).where("id", "=", id).executeTakeFirstOrThrow()) as Row;
  const tokens = columns.flatMap((column) => nameTokens(String(row[column] ?? "")));
  await replaceTokens(db, `${table}_search_token`, `${table}_id`, id, tokens);
}

async function replaceTokens(
  db: Kysely<any>,
  table: string,
  owner: string,
  id: number,
  words: string[],
): Promise<void> {
  await db.deleteFrom(table).where(owner, "=", id).execute();
  const tokens = [...new Set(words)].map((token) => ({ token, [owner]: id }));
  if (tokens.length > 0) await db.insertInto(table).values(tokens).execute();
}
