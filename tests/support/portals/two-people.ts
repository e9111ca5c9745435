import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "~db/connection.server";
import { type EditedPortal, newSession, people, type Who } from "../edited-portal";
import type { Dialect } from "../test-portal";
import { demoPortal } from "./demo-portal";

export interface TwoPeople extends EditedPortal {
  cookies: Record<Who | "reader", string>;
}

/** A running portal with two people who edit one sent referral and the settings, for the tests of one file or suite. */
export function twoPeople(dialect: Dialect = "sqlite"): TwoPeople {
  const portal = demoPortal({ referrals: 1, dialect });
  const two = { cookies: {} } as TwoPeople;
  beforeAll(async () => {
    const db = openDatabase(portal);
    const sent = db.selectFrom("referral").select("id").where("sentAt", "is not", null).orderBy("id");
    const { id: referralId } = await sent.executeTakeFirstOrThrow();
    Object.assign(two, { origin: portal.origin, db, referralId });
    for (const who of people) two.cookies[who] = await newSession(db, who);
    two.cookies.reader = await newSession(db, "admin");
  });
  afterAll(() => two.db?.destroy());
  return two;
}
