// @module-tag matrix
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { buildChild, runChild } from "../../../tests/support/crash/run-child";
import { anAttachment, aReferralLetter, dropEdi } from "../../../tests/support/edi/drop";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { importEdi } from "./import-edi.server";

const worker: Caller = { actor: { kind: "system", job: "job" }, site: "inside", address: "", sessionId: null };

forEachDatabase("an import of EDI is killed", (dialect) => {
  let portal: TestPortal;
  let child: string;
  let image: Buffer;
  beforeAll(async () => {
    child = await buildChild();
    portal = await createTestPortal(dialect);
    image = await drawRadiograph({ type: 2, format: "png", seed: 1 });
  });
  afterAll(async () => {
    await portal.close();
  });

  let count = 0;
  const drop = () => {
    const cpr = `020270${1000 + ++count}`;
    dropEdi(
      portal.config.dataDir,
      `brev${count}.xml`,
      aReferralLetter({ cpr, objectId: `O${count}`, wantsReceipt: true }),
    );
    dropEdi(portal.config.dataDir, `bilag${count}.xml`, anAttachment(`O${count}`, image, { cpr }));
    return { cpr, letter: `O${count}` };
  };
  const runUntil = (dieBefore: number | null, dieAfterSending = false) =>
    runChild(
      child,
      portal.config,
      { now: portal.clock.now().toISOString(), dieBefore, dieAfterSending, steps: [{ does: "importEdi" }] },
      {},
    );

  /** One round of the job, at once and after the dead worker's lease has expired. */
  async function comesRound() {
    for (const minutes of [1, 16, 11]) {
      portal.clock.advance({ minutes });
      await importEdi(portal, worker);
      while ((await execute(portal, worker, sendMessage, plainInput({ owner: "fresh", channel: "edi" }))).data?.sent);
    }
  }

  async function expectOnce(cpr: string) {
    const referrals = await portal.db
      .selectFrom("referral")
      .select(["id", "hasRadiographs"])
      .where("cprHash", "=", portal.secrets.lookup("cpr", `${cpr.slice(0, 6)}-${cpr.slice(6)}`))
      .execute();
    expect(referrals).toEqual([{ id: expect.any(Number), hasRadiographs: true }]);
    const files = await portal.db
      .selectFrom("referralFile")
      .select("id")
      .where("referralId", "=", referrals[0]!.id)
      .execute();
    expect(files).toHaveLength(1);
    const states = await portal.db.selectFrom("ediMessage").select("state").orderBy("id", "desc").limit(2).execute();
    expect(states.map(({ state }) => state).toSorted()).toEqual(["attached", "imported"]);
    expect(readdirSync(path.join(portal.config.dataDir, "edi", "in"))).toEqual([]);
  }

  const receipts = () => {
    const out = path.join(portal.config.dataDir, "edi", "out");
    return readdirSync(out).map((name) => readFileSync(path.join(out, name), "latin1"));
  };

  test("killed at any statement: one referral, one image, one receipt", async () => {
    drop();
    const { statements, errors } = await runUntil(null);
    expect(errors).toBe("");
    const last = statements ?? 0;
    expect(last).toBeGreaterThan(40);
    // Some of them, spread over all; `npm run soak -- --fuzz 10000` asks for every one.
    const every = process.env.FUZZ_RUNS ? 1 : Math.ceil(last / (dialect === "sqlite" ? 3 : 1));
    for (let dieBefore = Math.ceil(every / 2); dieBefore <= last; dieBefore += every) {
      const { cpr } = drop();
      const { signal } = await runUntil(dieBefore);
      await comesRound();
      await expectOnce(cpr);
      // The first import asked some questions whose answers are known by now.
      if (signal === null) expect(dieBefore).toBeGreaterThan(last - 10);
    }
    const { cpr } = drop();
    expect(await runUntil(null, true)).toMatchObject({ signal: "SIGKILL" });
    await comesRound();
    await expectOnce(cpr);
    const sent = receipts();
    expect(sent).toHaveLength(count);
    expect(new Set(sent.map((text) => /OriginalLetterIdentifier>(\w+)/.exec(text)?.[1])).size).toBe(count);
  });
});
