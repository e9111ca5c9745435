// @module-tag matrix
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signIn } from "../../scripts/test-server.mjs";
import { forms } from "../support/forms";
import { routes } from "../support/routes";
import { accessPortal } from "./access-portal";
import { people } from "./api/api-portal";

/** Nothing is sent meanwhile, so that only the requests write. */
const { portal, referrals, post } = accessPortal({ WORKER: "off" });

/** Tables any request may write: callers, counters, audit, sealed text. */
const OF_THE_REQUEST = new Set([
  "audit_event",
  "audit_referral",
  "autosave",
  "form_key",
  "job_run",
  "page_view",
  "session",
  "throttle",
]);

function tables(): Map<string, string> {
  return portal.inDatabase((database) => {
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all() as { name: string }[];
    return new Map(
      names
        .filter(({ name }) => !OF_THE_REQUEST.has(name))
        .map(({ name }) => {
          const rows = database.prepare(`select * from "${name}"`).all() as Record<string, unknown>[];
          // Any request notes when its person was last there, at most once in a while.
          for (const row of rows) delete row["last_active_at"];
          return [name, createHash("sha256").update(JSON.stringify(rows)).digest("hex")];
        }),
    );
  });
}

const changed = (before: Map<string, string>, after: Map<string, string>) =>
  [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);

test("every table but those of the request itself is looked at", () => {
  expect(tables().size).toBeGreaterThan(60);
});

describe.each(Object.entries(forms))("%s: whoever is refused changes no row", (route, intents) => {
  test.each(Object.entries(intents))("%s", async (intent, { fields, answers, endsSession }) => {
    const address = routes[route]!.address.replace("{id}", String(referrals.other.id))
      .replace("{own}", String(referrals.own.id))
      .replace("{file}", String(referrals.other.file));
    for (const [place, wanted] of answers.split(" ").entries()) {
      if (Number(wanted) < 307) continue;
      const who = people[place]!;
      const before = tables();
      const cookie = portal.cookies[who];
      if (endsSession && cookie) portal.cookies[who] = await signIn(portal.origin, who);
      await post(who, address, { intent, ...fields(referrals) });
      if (cookie) portal.cookies[who] = cookie;
      expect(changed(before, tables()), who).toEqual([]);
    }
  });
});
