import http from "node:http";
import { beforeAll, expect } from "vitest";
import { pageForm } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";
import { formOf, people, picture, type Who } from "./api/api-portal";

export const sites = { local: null, staff: "klinik.test", public: "www.henvis.test" } as const;
export type Site = keyof typeof sites;

export const wizard = "/management/henvisning-tandlaeger?form=a-form-of-its-own";

interface Sent {
  site?: Site;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

export function accessPortal(env: Record<string, string> = {}) {
  const portal = demoPortal({
    referrals: 5,
    people: people.filter((who) => who !== "nobody"),
    env: { ADMIN_ORIGIN: `http://${sites.staff}`, PUBLIC_ORIGIN: `http://${sites.public}`, ...env },
  });
  const referrals = { own: { id: 0, file: 0 }, other: { id: 0, file: 0 } };

  beforeAll(async () => {
    referrals.own = await sendReferral("tandlaege", "610190-1001");
    referrals.other = await sendReferral("tandlaege2", "620191-1002");
    for (const { id } of [referrals.own, referrals.other])
      await post("admin", `/management/overview/${id}`, { intent: "beginLetter", referralId: id });
  });

  function ask(who: Who, address: string, { site = "local", method = "GET", body, headers = {} }: Sent = {}) {
    const host = sites[site] ?? new URL(portal.origin).host;
    const cookie = portal.cookies[who];
    return new Promise<{ status: number; location: string | undefined; text: string }>((resolve, reject) => {
      const sent = http.request(
        portal.origin + address,
        { method, agent: false, headers: { host, ...(cookie ? { cookie } : {}), ...headers } },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (part: string) => (text += part));
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  function post(who: Who, address: string, fields: Record<string, string | number>, site: Site = "local") {
    const sent = who === "nobody" || "ticket" in fields ? fields : pageForm(portal, who, fields, site);
    const body = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)])).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
    return ask(who, address, { site, method: "POST", body, headers });
  }

  async function sendReferral(who: Who, cpr: string): Promise<{ id: number; file: number }> {
    const form = {
      formKey: cpr,
      cpr6: cpr.slice(0, 6),
      cpr4: cpr.slice(7),
      firstName: "Åse",
      lastName: "Kjær",
      address: "Åvej 1",
      zip: "8000",
      city: "Aarhus",
      desiredTreatment: "Fjernelse af 38.",
    };
    const saved = await post(who, wizard, { intent: "savePatient", ...form });
    const id = Number(/kladde=(\d+)/.exec(saved.location ?? "")?.[1]);
    await post(who, wizard, { intent: "saveReferrer", referralId: id });
    await upload(who, id);
    await post(who, wizard, { intent: "sendReferral", referralId: id, formKey: "send", radiographsSendType: 0 });
    const page = await ask(who, `/management/overview/${id}`);
    return { id, file: Number(/files\/(\d+)/.exec(page.text)?.[1]) };
  }

  async function upload(who: Who, id: number) {
    const answer = await fetch(`${portal.origin}${wizard}`, {
      method: "POST",
      body: formOf({
        ...pageForm(portal, who, { intent: "addRadiographs", formId: "step3", referralId: id, formKey: `up-${id}` }),
        radiographType: 0,
        radiographs: [picture("48.png")],
      }),
      redirect: "manual",
      headers: { cookie: portal.cookies[who]!, origin: portal.origin },
    });
    expect(answer.status).toBe(303);
  }

  return { portal, referrals, ask, post };
}
