import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { beforeAll, expect } from "vitest";
import type { KeyScope } from "~/access/actor";
import { demoPortal } from "../support/portals/demo-portal";
import { formOf, patient, picture } from "./api/api-portal";

export const [STAFF_HOST, PUBLIC_HOST] = ["klinik.eksempel.test", "www.henvis.eksempel.test"];

interface Made {
  clinicId?: number | null;
  userName?: string;
  expires?: string;
  addresses?: string;
  perMinute?: number;
}

interface Sent {
  host?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

export function apiKeyPortal() {
  const portal = demoPortal({
    referrals: 5,
    people: ["admin"],
    env: { ADMIN_ORIGIN: `http://${STAFF_HOST}`, PUBLIC_ORIGIN: `http://${PUBLIC_HOST}` },
  });
  const referrals = { own: 0, other: 0 };

  beforeAll(async () => {
    const ours = makeKey(["refer"], { clinicId: clinicOf("tandlaege"), userName: "tandlaege" });
    const theirs = makeKey(["refer"], { clinicId: clinicOf("tandlaege2"), userName: "tandlaege2" });
    referrals.own = await refer(ours, "610190-1001", "tandlaege");
    referrals.other = await refer(theirs, "620191-1002", "tandlaege2");
  });

  /** Creates a key as the settings do, without the form, which has its own test. */
  function makeKey(scopes: KeyScope[], { clinicId = null, userName = "admin", ...more }: Made = {}): string {
    const token = `hp_${randomBytes(32).toString("base64url")}`;
    const { expires = "2999-01-01T00:00:00.000Z", addresses = "", perMinute = 6000 } = more;
    portal.inDatabase((database) =>
      database
        .prepare(
          `insert into api_key (name, key_hash, key_hint, scopes, clinic_id, user_id, creator_id, addresses, calls_per_minute, created_at, expires_at)
           select ?, ?, ?, ?, ?, writer.id, maker.id, ?, ?, '2026-01-01T00:00:00.000Z', ?
           from user writer, user maker where writer.user_name = ? and maker.user_name = 'admin'`,
        )
        .run(
          `Nøgle ${scopes.join("+")}`,
          createHash("sha256").update(token).digest("hex"),
          token.slice(0, 7),
          scopes.join(","),
          clinicId,
          addresses,
          perMinute,
          expires,
          userName,
        ),
    );
    return token;
  }

  /** Calls as another system: no cookie, no Origin. */
  async function call(key: string | null, name: string, { host, headers = {}, body }: Sent = {}) {
    const [method, address] = name.split(" ") as [string, string];
    const content = body === undefined ? null : new Response(body);
    const bytes = content && Buffer.from(await content.arrayBuffer());
    return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const asked = request(
        `${portal.origin}/api${address}`,
        {
          method,
          headers: {
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...(host === undefined ? {} : { host }),
            ...(bytes === null ? {} : { "content-length": String(bytes.length) }),
            ...(content?.headers.get("content-type")
              ? {
                  "content-type":
                    typeof body === "string" ? "application/json" : (content.headers.get("content-type") as string),
                }
              : {}),
            ...headers,
          },
        },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => (text += part));
          answer.on("end", () => resolve({ status: answer.statusCode!, text, headers: answer.headers }));
        },
      );
      asked.on("error", reject);
      asked.end(bytes ?? undefined);
    });
  }

  const clinicOf = (userName: string) =>
    (
      portal.inDatabase((database) =>
        database
          .prepare("select clinic_id as id from user_clinic c join user u on u.id = c.user_id where u.user_name = ?")
          .get(userName),
      ) as { id: number }
    ).id;

  async function refer(key: string, cpr: string, doctor: string): Promise<number> {
    const begun = await call(key, "POST /Visits/patientinfo", { body: formOf(patient(cpr)), host: PUBLIC_HOST });
    expect(begun.status, begun.text).toBe(200);
    const { visitId } = JSON.parse(begun.text) as { visitId: number };
    const doctors = JSON.parse((await call(key, "GET /Doctors")).text) as { id: number; fullName: string }[];
    const doctorId = portal.inDatabase(
      (database) => (database.prepare("select id from user where user_name = ?").get(doctor) as { id: number }).id,
    );
    expect(doctors.map(({ id }) => id)).toContain(doctorId);
    const named = await call(key, `POST /Visits/${visitId}/doctorinfo`, { body: JSON.stringify({ doctorId }) });
    expect(named.status, named.text).toBe(204);
    const images = formOf({
      RadiographsSendType: 0,
      RadiographFileTypes: "[2]",
      Radiographs: [picture(`${cpr}.png`)],
    });
    const sent = await call(key, `POST /Visits/${visitId}/radiographs`, { body: images });
    expect(sent.status, sent.text).toBe(204);
    return visitId;
  }

  return { portal, referrals, makeKey, call, clinicOf };
}
