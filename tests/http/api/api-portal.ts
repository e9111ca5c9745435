import { beforeAll, expect } from "vitest";
import { demoPortal } from "../../support/portals/demo-portal";

/** Callers. The two secretaries and two dentists belong to different clinics. */
export const people = [
  "nobody",
  "admin",
  "kirurg",
  "sekretaer",
  "tandlaegesekretaer",
  "tandlaege",
  "tandlaege2",
] as const;
export type Who = (typeof people)[number];
export const staff: Who[] = ["admin", "kirurg"];
export const secretaries: Who[] = ["sekretaer", "tandlaegesekretaer"];

/** Who sees a referral of `tandlaege` (clinic A) and of `tandlaege2` (clinic B). */
export const sees: Record<"own" | "other", Who[]> = {
  own: [...staff, "sekretaer", "tandlaege"],
  other: [...staff, "tandlaege2"],
};

/** A sent referral with the ids of its parts. */
export interface Visit {
  id: number;
  radiograph: number;
  journal: number;
  message: number;
  attachment: number;
}

export interface Sent {
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export function apiPortal() {
  const portal = demoPortal({ referrals: 5, people: people.filter((who) => who !== "nobody") });
  const nothing = { id: 0, radiograph: 0, journal: 0, message: 0, attachment: 0 };
  const visits: Record<"own" | "other", Visit> = { own: nothing, other: nothing };

  async function api(who: Who, call: string, { json, form, headers = {} }: Sent = {}) {
    const [method, address] = call.split(" ") as [string, string];
    const answer = await fetch(`${portal.origin}/api${address}`, {
      method,
      redirect: "manual",
      headers: {
        cookie: portal.cookies[who] ?? "",
        ...(method === "GET" ? {} : { origin: portal.origin }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(form
        ? { body: form }
        : json === undefined
          ? {}
          : { body: typeof json === "string" ? json : JSON.stringify(json) }),
    });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    const bytes = Buffer.from(await answer.arrayBuffer());
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      body: isJson ? (JSON.parse(bytes.toString()) as any) : null,
    };
  }

  async function sendVisit(who: Who, cpr: string): Promise<Visit> {
    const begun = await api(who, "POST /Visits/patientinfo", {
      form: formOf({ ...patient(cpr), Journals: [journal("journal.xml")] }),
    });
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    const id = begun.body.visitId as number;
    expect((await api(who, `POST /Visits/${id}/doctorinfo`, { json: { sendNotificationToDoctor: true } })).status).toBe(
      204,
    );
    const images = formOf({
      VisitId: id,
      RadiographsSendType: 0,
      RadiographFileTypes: "[2,1]",
      Radiographs: [picture("panorama.png"), picture("foto.png")],
    });
    expect((await api(who, `POST /Visits/${id}/radiographs`, { form: images })).status).toBe(204);
    expect(
      (
        await api(who, `POST /Visits/${id}/messages`, {
          form: formOf({ Text: "Hej", attachedFiles: [journal("bilag.xml")] }),
        })
      ).status,
    ).toBe(204);
    const visit = (await api(who, `GET /Visits/${id}`)).body;
    const [message] = (await api(who, `GET /Visits/${id}/messages`)).body;
    return {
      id,
      radiograph: visit.radiographFiles[0].radiographId,
      journal: visit.journalFiles[0].journalId,
      message: message.id,
      attachment: message.attachments[0].id,
    };
  }

  beforeAll(async () => {
    visits.own = await sendVisit("tandlaege", "610190-1001");
    visits.other = await sendVisit("tandlaege2", "620191-1002");
  });

  return { api, sendVisit, visits };
}

export function formOf(fields: Record<string, string | number | Blob[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value))
      for (const [index, file] of value.entries()) form.append(name, file, (file as File).name ?? `${index}.png`);
    else form.append(name, String(value));
  }
  return form;
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
let pictures = 0;

/** A picture of its own: the archive withholds one that another patient has too. */
export const picture = (name: string) => new File([pixel, `${name} ${(pictures += 1)}`], name, { type: "image/png" });
export const journal = (name: string) =>
  new File([`<?xml version="1.0"?><journal>${name}</journal>`], name, { type: "text/xml" });

export const patient = (cpr: string) => ({
  Cpr: cpr,
  FirstName: "Åse",
  LastName: "Kjær",
  Address: "Åvej 1",
  Zip: "8000",
  City: "Aarhus",
  DesiredTreatment: "Fjernelse af 38.",
});
