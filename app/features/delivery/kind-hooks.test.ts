import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import type { SendResult } from "~/gateways/sending/port";
import type { Portal } from "~/portal.server";
import { aLetterFile } from "../../../tests/factories/letters";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadDevLetter, readDevOutbox } from "./dev-outbox.server";
import { outboxIn } from "./outbox-store.server";
import type { KindHooks, NewOutcome, NotNow } from "./port";
import { readDue, sendMessage } from "./send-message.server";
import { settleOverdue } from "./settle-messages.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";

const system = { kind: "system", job: "test" } as const;
const PDF = "%PDF-1.7 Kære Åse";

forEachDatabase("letters and the hooks of their kind", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let storedFileId: number;
  let calledUp: number;
  let sent: string[];
  let result: SendResult;
  let notNow: NotNow | null;
  let outcomes: NewOutcome[];
  let on: Portal;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    storedFileId = await aLetterFile(portal, PDF);
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    calledUp = await aReferral(portal, dentist);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    [sent, outcomes, notNow, result] = [[], [], null, { outcome: "accepted", detail: "" }];
    const callUp: KindHooks = {
      recheck: async () => notNow,
      async onSettled(_, { channel, kind, referralId }, { outcome, code, detail }) {
        expect([channel, kind, referralId]).toEqual(["eboks", "callUp", calledUp]);
        outcomes.push({ outcome, code, detail });
      },
    };
    const kindHooks = { ...portal.kindHooks, callUp };
    on = {
      ...portal,
      kindHooks,
      outboxIn: (tx) => outboxIn(tx, { ...portal, kindHooks }),
      eboks: {
        label: "",
        mode: "live",
        deduplicates: true,
        send: async ({ file }) => {
          sent.push(await text(file.open));
          return result;
        },
      },
    };
  });

  const text = async (open: () => Promise<Readable>) =>
    Buffer.concat((await (await open()).toArray()) as Buffer[]).toString();
  const letter = () =>
    ({
      kind: "callUp",
      to: "251248-9996",
      title: "Indkaldelse",
      text: "Kære Åse",
      storedFileId,
      referralId: calledUp,
    }) as const;
  const queue = (channel: "eboks" | "print" = "eboks", more: { storedFileId?: number } = {}) =>
    on.db.transaction().execute((tx) => on.outboxIn(tx)[channel]({ ...letter(), ...more }));
  const run = <I, O>(operation: Operation<I, O>, input: unknown, through = on) =>
    execute(through, { actor: system, site: "inside", address: "", sessionId: null }, operation, plainInput(input));
  const workOnce = async (channel: "eboks" | "print" = "eboks", through = on) =>
    (await run(sendMessage, { owner: "a", channel }, through)).data;
  const rowOf = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  test("sends the stored file with the letter, and calls the hook for each outcome", async () => {
    const id = await queue();
    await workOnce();
    expect(sent).toEqual([PDF]);
    expect(await rowOf(id)).toMatchObject({ outcome: "awaiting", code: 2 });
    portal.clock.advance({ days: 3 });
    await run(settleOverdue, {});
    expect(outcomes).toEqual([
      { outcome: "awaiting", code: 2, detail: null },
      { outcome: "unknown", code: 9, detail: "Udbyderen har ikke meldt tilbage" },
    ]);
  });

  test("a provider's own number wins; for a retried error only after the last attempt", async () => {
    const id = await queue();
    result = { outcome: "retry", detail: "host gone", code: 1 };
    await workOnce();
    expect([await rowOf(id), outcomes]).toMatchObject([{ outcome: "queued", code: 0 }, []]);
    for (let turn = 0; turn < 8; turn += 1) {
      portal.clock.advance({ hours: 1 });
      await workOnce();
    }
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", code: 1, attempts: 9 });
    const other = await queue();
    result = { outcome: "refused", detail: "for lang", code: 5 };
    await workOnce();
    expect(await rowOf(other)).toMatchObject({ outcome: "failed", code: 5 });
    expect(outcomes.map(({ code }) => code)).toEqual([1, 5]);
  });

  test("does not send what its kind withdraws, and stores its code and reason", async () => {
    const kept = await queue();
    notNow = { outcome: "failed", code: 10, detail: "Adressen er beskyttet" };
    await workOnce();
    expect(await rowOf(kept)).toMatchObject({
      outcome: "failed",
      code: 10,
      detail: "Adressen er beskyttet",
      attempts: 0,
    });
    const unwanted = await queue();
    notNow = { outcome: "withdrawn", detail: "Tiden er flyttet" };
    await workOnce();
    expect(await rowOf(unwanted)).toMatchObject({ outcome: "withdrawn", code: 9, detail: "Tiden er flyttet" });
    expect([sent, outcomes.map(({ outcome }) => outcome)]).toEqual([[], ["failed", "withdrawn"]]);
  });

  test("a message that cannot be checked waits without attempts, and fails after a day", async () => {
    const id = await queue();
    notNow = { outcome: "wait", detail: "Personregistret svarer ikke", minutes: 10 };
    await workOnce();
    expect(await rowOf(id)).toMatchObject({
      outcome: "queued",
      attempts: 0,
      detail: "Personregistret svarer ikke",
      waitingSince: "2026-12-01T09:00:00.000Z",
      notBefore: "2026-12-01T09:10:00.000Z",
    });
    portal.clock.advance({ hours: 23, minutes: 50 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", waitingSince: "2026-12-01T09:00:00.000Z" });
    portal.clock.advance({ minutes: 10 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", code: 9, detail: "Personregistret svarer ikke" });
    expect([sent, outcomes.length]).toEqual([[], 1]);
    const other = await queue();
    await workOnce();
    notNow = null;
    portal.clock.advance({ minutes: 10 });
    await workOnce();
    expect(await rowOf(other)).toMatchObject({ outcome: "awaiting", attempts: 1, waitingSince: null });
  });

  test("withdrawing a letter calls its kind's hook; a letter whose file is gone fails", async () => {
    await queue();
    await on.db.transaction().execute((tx) => on.outboxIn(tx).withdraw("callUp", [calledUp]));
    const id = await queue("eboks", { storedFileId: 999_999 });
    await workOnce();
    expect(await rowOf(id)).toMatchObject({ outcome: "failed", detail: "Filen findes ikke længere" });
    expect([sent, outcomes.map(({ outcome }) => outcome)]).toEqual([[], ["withdrawn", "failed"]]);
  });

  test("letters that are printed by the batch wait: no lane takes them", async () => {
    const id = await queue("print");
    expect(portal.print.mode).toBe("batch");
    expect(await run(readDue, { channel: "print" })).toEqual({ isDue: false });
    expect(await workOnce("print")).toEqual({ sent: false });
    expect(await rowOf(id)).toMatchObject({ outcome: "queued", attempts: 0, leaseOwner: null });
  });

  test("without a provider a trial keeps the letter and its PDF on this machine", async () => {
    const id = await queue();
    await workOnce("eboks", { ...on, eboks: portal.eboks });
    expect(await rowOf(id)).toMatchObject({
      outcome: "sent",
      code: 3,
      detail: "Prøve: gemt på denne maskine, ikke sendt",
    });
    const kept = (end: string) => readFile(path.join(portal.config.dataDir, "eboks", `outbox-${id}.${end}`), "utf8");
    expect(await kept("pdf")).toBe(PDF);
    const { messages } = await portal.as({ kind: "anonymous" }, readDevOutbox, {});
    expect(messages).toMatchObject([{ id, channel: "eboks", subject: "Indkaldelse", text: "Kære Åse", hasFile: true }]);
    const file = await portal.as({ kind: "anonymous" }, downloadDevLetter, { outboxId: id });
    expect([file.mime, await text(file.open)]).toEqual(["application/pdf", PDF]);
    await expect(portal.as({ kind: "anonymous" }, downloadDevLetter, { outboxId: 999_999 })).rejects.toMatchObject({
      name: "notInScope",
    });
    expect(JSON.parse(await kept("json"))).toMatchObject({
      cpr: "251248-9996",
      title: "Indkaldelse",
      text: "Kære Åse",
    });
  });
});
