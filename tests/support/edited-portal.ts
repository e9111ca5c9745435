import type { Db } from "~db/connection.server";
import { sessionOf } from "./session";

export const people = ["admin", "kirurg"] as const;
export type Who = (typeof people)[number];

/** A running portal with one sent referral and the settings, which two people edit. */
export interface EditedPortal {
  origin: string;
  /** The server's database, opened beside it. */
  db: Db;
  referralId: number;
  /** `reader` belongs to a session that only reads. */
  cookies: { reader: string };
}

export async function newSession(db: Db, who: Who): Promise<string> {
  const { name, value } = await sessionOf(db, who);
  return `${name}=${value}`;
}

/** Gives the referral an imported time, which no page offers. */
export async function importTime({ db, referralId }: Pick<EditedPortal, "db" | "referralId">): Promise<void> {
  const imported = { operationDate: "2027-03-05", operationHour: 6, operationMinute: 17 };
  await db.updateTable("referral").set(imported).where("id", "=", referralId).execute();
}

interface HttpAnswer {
  status: number;
  location: string;
  text: string;
  cookie: string | undefined;
}

/** Opens an address, or sends a form to it, without following redirects. */
export async function ask(
  { origin }: Pick<EditedPortal, "origin">,
  address: string,
  cookie: string,
  sent?: readonly [string, string][],
): Promise<HttpAnswer> {
  const answer = await fetch(new URL(address, origin), {
    redirect: "manual",
    headers: { cookie, origin, accept: "text/html", "accept-encoding": "identity" },
    ...(sent && { method: "POST", body: new URLSearchParams(sent.map(([name, value]) => [name, value])) }),
  });
  const set = answer.headers.getSetCookie().find((each) => each.startsWith("session="));
  return {
    status: answer.status,
    location: answer.headers.get("location") ?? "",
    text: await answer.text(),
    cookie: set?.split(";")[0],
  };
}
