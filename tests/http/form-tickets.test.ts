import { describe, expect, test } from "vitest";
import { pageTicket } from "../support/form-ticket";
import { forms } from "../support/forms";
import { routes } from "../support/routes";
import { accessPortal } from "./access-portal";
import { people, type Who } from "./api/api-portal";

const { portal, referrals, post } = accessPortal();

/** Public and redirecting pages, and the shell's display choices. */
const WITHOUT_TICKET =
  /^(login|change-password|xr|dl|aftale|book-parking|dev\.|management$|management\.(totrinslogin|ny-adgangskode)$)/;

const LOOK_UPS =
  /^(filter|fetch|search|suggest|check|preview|lookUp|moreFilters|applyFilter|exportStatistics|replaceCostlySigns|askCallUps|askExport|\*)/;

const ticketOf = (who: Who, site: "local" | "public" = "local") =>
  pageTicket(portal, who, { fields: { referralId: referrals.other.id } }, site);
const counts = () =>
  portal.inDatabase((database) =>
    (["message", "outbox", "referral_file", "staged_upload", "autosave", "mass_change"] as const).map(
      (table) => (database.prepare(`select count(*) as rows from ${table}`).get() as { rows: number }).rows,
    ),
  );

/** The first role that may submit a form. */
const senderOf = (answers: string): Who =>
  people[answers.split(" ").findIndex((status, index) => index > 0 && status !== "403" && status !== "404")] ?? "admin";

test("a form with foreign files is given back to whoever opened it", async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ intent: "uploadLetter", ticket: ticketOf("admin") }))
    body.append(name, value);
  body.append("letter", new Blob(["%PDF-1.4"]), "brev.pdf");
  const before = counts();
  const send = (ticket: string) => {
    body.set("ticket", ticket);
    return fetch(`${portal.origin}/management/ending-letter`, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { cookie: portal.cookies.tandlaege2!, origin: portal.origin },
    });
  };
  const others = await send(ticketOf("admin"));
  expect([others.status, (await others.text()).includes("Formularen blev åbnet af ")]).toEqual([409, true]);
  expect((await send(ticketOf("tandlaege2"))).status).toBe(403);
  expect(counts()).toEqual(before);
});

const withTicket = Object.entries(forms).filter(([route]) => !WITHOUT_TICKET.test(route));

describe.each(withTicket)("a form of %s", (route, intents) => {
  const addressOf = () =>
    routes[route]!.address.replace("{id}", String(referrals.other.id))
      .replace("{own}", String(referrals.own.id))
      .replace("{file}", String(referrals.other.file));
  const bound = Object.entries(intents);

  test.each(bound)("%s that somebody else opened changes nothing and names both", async (intent, form) => {
    const who = senderOf(form.answers);
    const opener = who === "tandlaege2" ? "admin" : "tandlaege2";
    const before = counts();
    const answer = await post(who, addressOf(), {
      ...form.fields(referrals),
      intent,
      ticket: ticketOf(opener),
    });
    expect(answer.status).toBe(409);
    expect(answer.text).toMatch(/Formularen blev åbnet af [^.]+\. Du er logget ind som [^.]+\./);
    expect(counts()).toEqual(before);
  });

  test.each(bound)("%s of an old page, another site or without a ticket changes nothing", async (intent, form) => {
    const who = senderOf(form.answers);
    const before = counts();
    for (const ticket of ["of-no-page", ticketOf(who, "public"), ...(LOOK_UPS.test(intent) ? [] : [""])]) {
      const answer = await post(who, addressOf(), { ...form.fields(referrals), intent, ticket });
      expect([answer.status, answer.text.includes("Siden er forældet.")], ticket).toEqual([400, true]);
    }
    expect(counts()).toEqual(before);
  });
});
