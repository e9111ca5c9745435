import { describe, expect, test } from "vitest";
import { apiCalls } from "~/http/api/api-calls.server";
import { pathNames } from "~/http/api/api-route.server";
import { apiPortal, people, secretaries, sees, staff, type Visit, type Who } from "./api-portal";
import { nameOf, type Trial, trials } from "./trials";

const { api, visits } = apiPortal();

const holders: Record<Trial["may"], readonly Who[]> = {
  open: people,
  everybody: people.slice(1),
  staff,
  secretaries,
  choosers: [...staff, ...secretaries],
};

const filled = (address: string, { id, journal: jid, radiograph, message, attachment }: Visit) =>
  address
    .replace("{id}", String(id))
    .replace("{jid}", String(jid))
    .replace("{rid}", String(radiograph))
    .replace("{mid}", String(message))
    .replace("{aid}", String(attachment))
    .replace("{n}", "9");

test("tries every call of the table", () => {
  expect(apiCalls.map(nameOf).sort()).toEqual(Object.keys(trials).sort());
});

describe.each(apiCalls.map((route) => [nameOf(route), route] as const))("%s", (name, route) => {
  const { may, address = name, status = 200, anywhere, json, form, headers } = trials[name] ?? { may: "open" };
  test.each(["own", "other"] as const)("of %s clinic", async (whose) => {
    for (const who of people) {
      const answer = await api(who, filled(address, visits[whose]), {
        json,
        ...(form ? { form: form() } : {}),
        ...(headers ? { headers } : {}),
      });
      const wanted =
        who === "nobody" && may !== "open"
          ? 401
          : !holders[may].includes(who)
            ? 403
            : anywhere || sees[whose].includes(who)
              ? status
              : 404;
      expect(answer.status, `${who}: ${answer.body?.message ?? ""}`).toBe(wanted);
      if (wanted >= 400) expect(answer.body, who).toEqual({ message: expect.any(String), errors: expect.any(Object) });
      if (wanted === 200 && route.answer.schema) route.answer.schema.parse(answer.body);
      expect(answer.headers.get("cache-control")).toContain("no-store");
    }
  });
});

test("a dentist of another clinic finds no id, file or message by any call", async () => {
  const { id } = visits.own;
  const calls = apiCalls.filter(
    (route) => pathNames(route.path).includes("id") && !route.path.startsWith("/Clinics") && route.link === null,
  );
  for (const route of calls) {
    const { json, form } = trials[nameOf(route)]!;
    const answer = await api("tandlaege2", filled(nameOf(route), visits.own), {
      json,
      ...(form ? { form: form() } : {}),
    });
    expect([403, 404], nameOf(route)).toContain(answer.status);
    expect(answer.status === 403, nameOf(route)).toBe(["staff", "choosers"].includes(trials[nameOf(route)]!.may));
  }
  for (const address of [
    `download/journals/${visits.own.journal}`,
    `download/${visits.own.radiograph}/radiograph`,
    `messages/attachment/${visits.own.attachment}`,
  ]) {
    expect((await api("tandlaege2", `GET /Visits/${visits.other.id}/${address}`)).status, address).toBe(404);
  }
  const listed = (await api("tandlaege2", `GET /Visits?VisitNumber=${id}`)).body.paginationResult;
  expect(listed).toEqual({ entities: [], totalEntities: 0 });
});
