// @module-tag matrix
import { randomBytes, randomInt } from "node:crypto";
import { Agent, request } from "node:http";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "~/demo/content/seeded-random.server";
import { toMoment } from "~/text/dates";
import { tokenHash } from "~/access/secrets.server";
import { get, memoryOf } from "../../scripts/test-server.mjs";
import { type SmallPortal, startSmallPortal } from "../support/portals/small-portal";
import { findForms } from "../support/page-forms";
import { createRequests, pageAddresses, type RandomRequest } from "../support/random-requests";

/** `npm run soak -- --fuzz 10000` sends 10,000 and measures time and memory, which other work would distort here. */
const runs = Number(process.env.FUZZ_RUNS ?? 500);
const isWhole = runs > 2000;
const seed = Number(process.env.FUZZ_SEED ?? (isWhole ? randomInt(1_000_000_000) : 20_261_122));

const MAX_ANSWER_MS = 1000;
const MAX_GROWTH_MB = 60;
const people = ["nobody", "admin", "kirurg", "sekretaer", "tandlaegesekretaer", "tandlaege", "tandlaege2"];

let portal: SmallPortal;
let database: InstanceType<typeof Database>;
const tokens = new Map<string, string>();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  portal = await startSmallPortal();
  database = new Database(path.join(portal.dataDir, "portal.db"), { timeout: 5000 });
  database.exec("create table user_as_it_was as select * from user");
});

afterAll(async () => {
  agent.destroy();
  database?.close();
  await portal?.stop();
});

/** Random forms sign out, rename and lock accounts, so everybody is restored. */
function signEverybodyIn(): void {
  database.exec(
    "update user set user_name = (select user_name from user_as_it_was w where w.id = user.id), status = (select status from user_as_it_was w where w.id = user.id) where id in (select id from user_as_it_was); delete from throttle",
  );
  for (const who of people.slice(1)) {
    const token = randomBytes(32).toString("base64url");
    const { id } = database.prepare("select id from user where user_name = ?").get(who) as { id: number };
    database
      .prepare(
        "insert into session (id, user_id, created_at, last_seen_at, expires_at, info_popup_seen, callup_popup) values (?, ?, ?, '2026-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', 0, 1)",
      )
      .run(tokenHash(token), id, toMoment(new Date()));
    tokens.set(who, `session=${encodeURIComponent(Buffer.from(JSON.stringify(token)).toString("base64"))}`);
  }
}

interface Answer {
  status: number;
  ms: number;
}

function send({ who, method, target, headers, body }: RandomRequest): Promise<Answer> {
  const { hostname, port } = new URL(portal.origin);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    // Without Content-Length Node would send the body in chunks.
    const sent = request(
      {
        hostname,
        port,
        agent,
        method,
        path: target.replace(/[^\x21-\xff]/g, encodeURIComponent),
        headers: {
          ...(who === "nobody" ? {} : { cookie: tokens.get(who)! }),
          ...headers,
          ...(body ? { "content-length": body.length } : {}),
        },
      },
      (answer) => {
        answer.resume().on("end", () => resolve({ status: answer.statusCode!, ms: performance.now() - began }));
        answer.on("error", reject);
      },
    );
    sent.setTimeout(20_000, () => sent.destroy(new Error("no answer within 20 seconds")));
    // A refused body may be cut off; the next request shows that the portal runs.
    sent.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE"
        ? resolve({ status: 0, ms: performance.now() - began })
        : reject(error),
    );
    sent.end(body ?? undefined);
  });
}

/** As documented: a trial knows a few test persons, and says of everybody else that no register is asked. */
const isSilentRegister = ({ target }: RandomRequest, { status }: Answer) =>
  status === 503 && /^\/api\/Cpr\/address\b/i.test(target);

const describe = (asked: RandomRequest) =>
  `${asked.who}: ${asked.method} ${asked.target}\n${JSON.stringify(asked.headers)}\n${asked.body === null ? "" : asked.body.toString("utf8").slice(0, 3000)}`;

test(
  `${runs} random requests (FUZZ_SEED=${seed}) at every page and call, by everybody: none fails`,
  { timeout: 3_600_000 },
  async () => {
    signEverybodyIn();
    const ids = (database.prepare("select id from referral order by id desc limit 3").all() as { id: number }[])
      .map(({ id }) => id)
      .concat((database.prepare("select id from referral_file limit 3").all() as { id: number }[]).map(({ id }) => id));
    const forms = await findForms({
      origin: portal.origin,
      cookies: tokens,
      addresses: pageAddresses().map((each) => each.replaceAll("{id}", String(ids[0]))),
    });
    expect(forms.length).toBeGreaterThan(30);
    const next = createRequests(createRandom(seed), { people, forms, ids });
    const errors: string[] = [];
    const counts = new Map<number, number>();
    const megabytes: number[] = [];
    let before: RandomRequest | undefined;
    for (let run = 0; run < runs; run += 1) {
      if (run % 50 === 49) signEverybodyIn();
      const asked = next();
      const first = await send(asked).catch((error: unknown) => ({ status: 599, ms: 0, error }));
      counts.set(first.status, (counts.get(first.status) ?? 0) + 1);
      if (first.status >= 500 && !isSilentRegister(asked, first))
        errors.push(
          `request ${run} answered ${first.status} ${"error" in first ? String(first.error) : ""}\n${describe(asked)}\nbefore it: ${before && describe(before)}\n${portal.output().slice(-2000)}`,
        );
      before = asked;
      // Noise slows one answer, not three.
      if (
        isWhole &&
        first.ms > MAX_ANSWER_MS &&
        (await send(asked)).ms > MAX_ANSWER_MS &&
        (await send(asked)).ms > MAX_ANSWER_MS
      )
        errors.push(`request ${run} takes ${Math.round(first.ms)} ms\n${describe(asked)}`);
      if (run % Math.ceil(runs / 8) === 0) megabytes.push(memoryOf(portal.pid)?.now ?? 0);
      if (errors.length >= 5) break;
    }
    if (isWhole)
      console.log(
        `seed ${seed}; answers ${JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => a - b)))}; memory at each eighth ${megabytes.join(", ")} MB`,
      );
    expect(errors.join("\n\n")).toBe("");
    // The first half fills caches: prepared statements, compiled code, the garbage collector's heap.
    if (isWhole) expect(megabytes.at(-1)! - megabytes[4]!).toBeLessThan(MAX_GROWTH_MB);
    expect((await get(`${portal.origin}/readyz`)).status).toBe(200);
  },
);
