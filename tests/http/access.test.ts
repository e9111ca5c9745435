import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Kind, routes } from "../support/routes";
import { accessPortal, type Site, sites } from "./access-portal";
import { people, sees, staff, type Who } from "./api/api-portal";

const { referrals, ask } = accessPortal();

/** Expected answer of a route by the rules alone. */
function expected(kind: Kind, who: Who, site: Site, isSeen: boolean): number {
  if (kind === "open") return 200;
  if (kind === "publicPage") return site === "staff" ? 404 : 200;
  if (kind === "patientLink") return site === "staff" ? 404 : 403;
  if (kind === "webhook") return site === "staff" ? 404 : 405;
  if (kind === "developmentMissing" || kind === "notSet") return 404;
  if (kind === "development") return site === "local" ? 200 : 404;
  if ((kind === "staffHost" || kind === "staffHostPage") && site === "public") return 404;
  if (who === "nobody") return kind === "api" || kind === "staffHost" ? 401 : 302;
  const isStaff = staff.includes(who);
  if (kind !== "redirect" && ((site === "staff" && !isStaff) || (site === "public" && isStaff))) return 403;
  if (kind === "redirect") return 302;
  if ((kind === "staff" || kind === "sealed") && !isStaff) return 403;
  if (kind === "administrator" && who !== "admin") return 403;
  if (kind === "directory" && who.startsWith("tandlaege") && who !== "tandlaegesekretaer") return 403;
  if (kind === "missing" || kind === "sealed" || ((kind === "referral" || kind === "staffInReferral") && !isSeen))
    return 404;
  return kind === "staffInReferral" && !isStaff ? 403 : 200;
}

test("lists every route of the portal in the table", () => {
  expect(readdirSync("app/routes").sort()).toEqual(Object.keys(routes).sort());
});

describe.each(Object.entries(routes))("%s", (_route, { kind, address }) => {
  const which = address.includes("{id}") ? (["own", "other"] as const) : (["own"] as const);
  for (const site of Object.keys(sites) as Site[]) {
    test(`through the ${site} site`, async () => {
      for (const referral of which) {
        for (const who of people) {
          const { id, file } = referrals[referral];
          const answer = await ask(
            who,
            address
              .replace("{id}", String(id))
              .replace("{own}", String(referrals.own.id))
              .replace("{file}", String(file)),
            { site },
          );
          const wanted =
            address === "/login" && who !== "nobody"
              ? 302
              : wantedOf(kind, address, who, site, sees[referral].includes(who));
          expect(answer.status, `${who}, ${referral}`).toBe(wanted);
          if (answer.status === 403 && kind !== "patientLink") expect(answer.text).toContain("Access Denied by Role");
          if (answer.status === 302 && who === "nobody" && kind !== "redirect")
            expect(answer.location).toContain("/login?to=");
        }
      }
    });
  }
});

/** These addresses check the site before redirecting; `/` knows nobody. */
function wantedOf(kind: Kind, address: string, who: Who, site: Site, isSeen: boolean): number {
  if (["/management", "/management/ny-adgangskode", "/management/totrinslogin"].includes(address) && who !== "nobody")
    return expected("signedIn", who, site, true) === 403 ? 403 : 302;
  return expected(kind, who, site, isSeen);
}

describe("a mailed link to a discharge letter", () => {
  test("leads to the referral, by way of sign-in, within the reader's scope", async () => {
    const link = `?vid=${referrals.own.id}&mid=5&num=1&trmPdf=true`;
    for (const page of ["/", "/login", "/management/overview", "/pdf/visit"]) {
      expect((await ask("nobody", `${page}${link}`)).location, page).toBe(
        `/management/overview/${referrals.own.id}?brev=1&som=pdf&mid=5`,
      );
    }
    const asked = `/management/overview/${referrals.own.id}?brev=1&som=zip`;
    expect((await ask("nobody", asked)).location).toBe(`/login?to=${encodeURIComponent(asked)}`);
    expect((await ask("tandlaege2", asked)).status).toBe(404);
    const page = await ask("tandlaege", asked);
    expect(page.text).toContain(`content="0;url=/management/overview/${referrals.own.id}/breve/1?som=zip"`);
    expect((await ask("tandlaege", "/management/overview?vid=1&num=1")).status).toBe(200);
  });
});

test("a file that is deleted or outside the scope is 404 alike, as a page or as data", async () => {
  for (const part of ["", "/preview"]) {
    const foreign = `/management/overview/${referrals.other.id}/files/${referrals.other.file}${part}`;
    const gone = `/management/overview/${referrals.own.id}/files/999999${part}`;
    for (const address of [foreign, gone]) {
      const page = await ask("tandlaege", address, {
        headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
      });
      expect(page.status).toBe(404);
      expect(page.text).toMatch(/^<!doctype html><html lang="da">/);
      expect(page.text).toContain("Filen kan ikke hentes");
      const data = await ask("tandlaege", address, { headers: { accept: "*/*" } });
      expect([data.status, Object.keys(JSON.parse(data.text) as object)]).toEqual([404, ["text", "refusal"]]);
    }
  }
});
