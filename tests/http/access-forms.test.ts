import { describe, expect, test } from "vitest";
import { signIn } from "../../scripts/test-server.mjs";
import { forms } from "../support/forms";
import { intentsOfRoutes } from "../support/intents";
import { routes } from "../support/routes";
import { accessPortal } from "./access-portal";
import { people } from "./api/api-portal";

const { portal, referrals, ask, post } = accessPortal();

/** Ticket of the page's form for an operation. */
const ticketOf = (page: string, operation: string) =>
  /name="ticket"[^>]* value="([^"]+)"/.exec(
    page.split("<form").find((form) => form.includes(`"${operation}"`)) ?? "",
  )![1]!;

test("lists every intent of every route in the table", () => {
  const inTable = Object.fromEntries(
    Object.entries(forms).map(([route, intents]) => [route, Object.keys(intents).sort()]),
  );
  expect(inTable).toEqual(
    Object.fromEntries(Object.entries(intentsOfRoutes()).map(([route, intents]) => [route, intents.sort()])),
  );
});

describe.each(Object.entries(forms))("%s", (route, intents) => {
  test.each(Object.entries(intents))("%s", async (intent, { fields, answers, endsSession }) => {
    const address = routes[route]!.address.replace("{id}", String(referrals.other.id))
      .replace("{own}", String(referrals.own.id))
      .replace("{file}", String(referrals.other.file));
    const given: string[] = [];
    for (const who of people) {
      const before = portal.cookies[who];
      if (endsSession && before) portal.cookies[who] = await signIn(portal.origin, who);
      given.push(`${who} ${(await post(who, address, { intent, ...fields(referrals) })).status}`);
      if (before) portal.cookies[who] = before;
    }
    expect(given).toEqual(answers.split(" ").map((status, index) => `${people[index]} ${status}`));
  });
});

test("an unknown intent is an older page's form: it changes nothing", async () => {
  for (const intent of ["noSuchIntent", "constructor", "*"])
    for (const who of ["admin", "tandlaege"] as const) {
      const { status, text } = await post(who, `/management/overview/${referrals.own.id}`, {
        intent,
        text: "Hvornår?",
      });
      expect([status, text.includes("Siden er forældet."), text.includes("Hvornår?")], intent).toEqual([
        400,
        true,
        true,
      ]);
    }
});

test("the ticket of a form says what it is about, whatever number the form says itself", async () => {
  const [own, other] = [referrals.own.id, referrals.other.id].map((id) => `/management/overview/${id}`) as [
    string,
    string,
  ];
  const ticket = ticketOf((await ask("admin", own)).text, "writeMessage");
  const text = "Bundet til sin side.";
  expect(
    (await post("admin", own, { intent: "writeMessage", ticket, referralId: referrals.other.id, text })).status,
  ).toBe(303);
  expect((await ask("admin", own)).text).toContain(text);
  expect((await ask("admin", other)).text).not.toContain(text);
  // Bound to the person only.
  const unbound = ticketOf((await ask("admin", "/management/statistics")).text, "exportStatistics");
  expect(
    (await post("admin", own, { intent: "writeMessage", ticket: unbound, referralId: referrals.own.id, text })).status,
  ).toBe(400);
});

test("a form about something deleted is answered in its own page", async () => {
  const gone = { intent: "deleteTreatmentType", treatmentTypeId: 999_999, seenVersion: 1 };
  const inPage = await post("admin", "/management/settings?index", gone);
  expect([inPage.status, /<h1[^>]*>([^<]*)/.exec(inPage.text)?.[1]]).toEqual([404, "Indstillinger"]);
  expect(inPage.text).toContain("Behandlingstypen findes ikke længere.");
  const scripted = await post("admin", "/management/settings?index&_data=routes/management.settings._index", gone);
  expect([scripted.status, JSON.parse(scripted.text)]).toMatchObject([404, { refusal: "notInScope" }]);
  const shell = await ask("admin", "/management/settings?_data=routes/management");
  expect((JSON.parse(shell.text) as { flash: { text: string }[] }).flash.map(({ text }) => text)).toEqual([
    "Behandlingstypen findes ikke længere.",
  ]);
  const page = await post("tandlaege2", "/management/overview/999999", {
    intent: "writeMessage",
    referralId: 999_999,
    formKey: "of-a-deleted-page",
    text: "x",
  });
  expect([page.status, page.text.includes("Siden findes ikke")]).toEqual([404, true]);
});

test("the wizard's visitId of a referral outside the scope is 404 at once", async () => {
  for (const who of ["sekretaer", "tandlaegesekretaer", "tandlaege"] as const)
    expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${referrals.other.id}`)).status, who).toBe(404);
  expect((await ask("admin", `/management/henvisning-tandlaeger?visitId=999999`)).status).toBe(404);
  for (const who of ["admin", "tandlaege2"] as const)
    expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${referrals.other.id}`)).status, who).toBe(302);
});

test("refuses a form from another site, and one without an origin", async () => {
  const body = new URLSearchParams({
    intent: "setStatus",
    referralId: String(referrals.other.id),
    status: "7",
    seenVersion: "1",
  }).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const senders: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://ond.example" },
    { origin: "null" },
    {},
  ];
  for (const headers of senders) {
    const answer = await ask("admin", "/management/overview", {
      method: "POST",
      body,
      headers: { ...type, ...headers },
    });
    expect(answer.status, JSON.stringify(headers)).toBe(403);
  }
});
