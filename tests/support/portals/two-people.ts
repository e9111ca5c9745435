import { afterAll, beforeAll } from "vitest";
import { type Db, openDatabase } from "~db/connection.server";
import { sessionOf } from "../session";
import { demoPortal } from "./demo-portal";

export const people = ["admin", "kirurg"] as const;
export type Who = (typeof people)[number];

export interface TwoPeople {
  origin: string;
  /** The server's database, opened beside it. */
  db: Db;
  referralId: number;
  /** Cookies of the two people, and of a session that only reads. */
  cookies: Record<Who | "reader", string>;
}

/** A running portal with two people who edit one sent referral and the settings, for the tests of one file. */
export function twoPeople(): TwoPeople {
  const portal = demoPortal({ referrals: 1 });
  const two = { cookies: {} } as TwoPeople;
  beforeAll(async () => {
    const db = openDatabase({ dataDir: portal.dataDir, databaseUrl: "" });
    const sent = db.selectFrom("referral").select("id").where("sentAt", "is not", null).orderBy("id");
    const { id: referralId } = await sent.executeTakeFirstOrThrow();
    Object.assign(two, { origin: portal.origin, db, referralId });
    for (const who of people) two.cookies[who] = await newSession(db, who);
    two.cookies.reader = await newSession(db, "admin");
  });
  afterAll(() => two.db?.destroy());
  return two;
}

export async function newSession(db: Db, who: Who): Promise<string> {
  const { name, value } = await sessionOf(db, who);
  return `${name}=${value}`;
}

interface Answer {
  status: number;
  location: string;
  text: string;
  cookie: string | undefined;
}

/** Opens an address, or sends a form to it, without following redirects. */
export async function ask(
  { origin }: Pick<TwoPeople, "origin">,
  address: string,
  cookie: string,
  sent?: readonly [string, string][],
): Promise<Answer> {
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
