import { randomUUID } from "node:crypto";

const OVERVIEW = "/management/overview";

/** A page, or its data as Remix's script requests it. */
const askPage = (person, address, route) =>
  person.get(
    Math.random() < 0.5 ? address : `${address}${address.includes("?") ? "&" : "?"}_data=${encodeURIComponent(route)}`,
  );
/**
 * Weighted requests: `[weight, name, request]`. @param {{ admin: any, surgeon: any, secretary: any, referrer: any }}
 * people signed in @param {number[]} ids referrals to open @returns {[number, string, () => Promise<any>][]}
 */
export function staffActs({ admin, surgeon, secretary, referrer }, ids) {
  const any = (/** @type {any[]} */ of) => of[Math.floor(Math.random() * of.length)];
  return [
    [
      30,
      "overview",
      () =>
        askPage(
          any([admin, surgeon, secretary]),
          `${OVERVIEW}?sort=${any(["1", "-1", "2", "-2", "4", "-4"])}`,
          "routes/management.overview",
        ),
    ],
    [
      8,
      "search by name",
      () => admin.get(`/api/Visits?PatientName=${any(["Sø", "Ma", "Ander", "Nan", "Lykke"])}&CurrentPage=1`),
    ],
    [
      20,
      "open referral",
      () => askPage(any([admin, surgeon]), `${OVERVIEW}/${any(ids)}`, "routes/management.overview.$visitId"),
    ],
    [8, "dentist's overview", () => askPage(referrer, OVERVIEW, "routes/management.overview")],
    [6, "discharge letters", () => askPage(admin, "/management/ending-letter", "routes/management.ending-letter")],
    [6, "call-ups", () => askPage(admin, "/management/call-up-letters", "routes/management.call-up-letters")],
    [4, "SMS", () => askPage(admin, "/management/sms", "routes/management.sms")],
    [3, "statistics", () => askPage(admin, "/management/statistics", "routes/management.statistics")],
    [4, "logs", () => askPage(admin, "/management/logs", "routes/management.logs")],
    [5, "API", () => admin.get("/api/Visits?CurrentPage=1&OrderBy=1&OrderByDesc=true")],
    [3, "message", () => write(surgeon, any(ids))],
    [3, "status", () => setStatus(admin, any(ids))],
  ];
}

export function idsIn(page) {
  return [...page.matchAll(/<tr id="r(\d+)"/g)].map(([, id]) => Number(id));
}

function write(person, referralId) {
  const message = { intent: "writeMessage", formKey: randomUUID(), text: `Besked ${randomUUID()}` };
  return person.post(`${OVERVIEW}/${referralId}`, message);
}

async function setStatus(person, referralId) {
  const fields = { intent: "setStatus", status: [0, 2, 3, 8][referralId % 4] };
  const answer = await person.post(`${OVERVIEW}/${referralId}`, fields);
  return answer.status === 409 ? { status: 200 } : answer;
}

export async function setStatuses(person) {
  const ids = idsIn((await person.get(OVERVIEW)).text);
  return person.post(OVERVIEW, [["intent", "setStatuses"], ["status", "0"], ...ids.map((id) => ["pick", String(id)])]);
}

export async function exportMonth(person) {
  const begun = await person.post("/management/overview/eksport", {
    intent: "exportByDates",
    dateFrom: "2026-10-01",
    dateTo: "2026-10-31",
  });
  return begun.location === "" ? begun : person.get(begun.location);
}
