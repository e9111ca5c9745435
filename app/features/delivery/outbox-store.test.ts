import { expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import { mailOutbox } from "../../../tests/support/delivery/mail-outbox";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("the outbox", (dialect) => {
  let portal: TestPortal;
  const { queue, workOnce, rowOf } = mailOutbox(dialect, (opened) => {
    portal = opened;
  });

  test("a mail is queued with the change and gone with its rollback", async () => {
    await expect(queue({ breaks: true })).rejects.toThrow("the change broke after queueing");
    expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
    const id = await queue();
    expect(await rowOf(id)).toMatchObject({
      outcome: "queued",
      code: 0,
      attempts: 0,
      channel: "email",
      kind: "testMessage",
      notBefore: "2026-12-01T09:00:00.000Z",
    });
  });

  test("recipient and content are not readable in the table", async () => {
    const id = await queue({ to: "hemmelig@eksempel.dk", subject: "Røntgen af kæben", text: "Privat tekst" });
    expect(JSON.stringify(await rowOf(id))).not.toMatch(/hemmelig|Røntgen|Privat/);
  });

  test("a message into whose row another's recipient or text was copied is not sent", async () => {
    const other = await portal.db
      .selectFrom("outbox")
      .select(["recipientEncrypted", "contentEncrypted"])
      .where("id", "=", await queue())
      .executeTakeFirstOrThrow();
    await workOnce();
    for (const column of ["recipientEncrypted", "contentEncrypted"] as const) {
      const id = await queue();
      await portal.db
        .updateTable("outbox")
        .set({ [column]: other[column] })
        .where("id", "=", id)
        .execute();
      await workOnce();
      expect(await rowOf(id)).toMatchObject({ outcome: "failed", attempts: 0 });
    }
  });

  test("a message that the present key cannot read has failed, and the next one is sent", async () => {
    const unreadable = await queue();
    await portal.db
      .updateTable("outbox")
      .set({ contentEncrypted: "deadbeef.AAAA" })
      .where("id", "=", unreadable)
      .execute();
    const id = await queue();
    for (let turn = 0; turn < 2; turn += 1) await workOnce();
    expect(await rowOf(unreadable)).toMatchObject({
      outcome: "failed",
      detail: "Kan ikke læses med den nuværende nøgle",
    });
    expect(await rowOf(id)).toMatchObject({ outcome: "sent" });
  });

  test("a message waits for the moment it was given", async () => {
    await portal.db.transaction().execute((tx) =>
      portal.outboxIn(tx).email({
        kind: "testMessage",
        to: "a@eksempel.dk",
        subject: "s",
        text: "t",
        html: "h",
        notBefore: new Date("2026-12-01T10:00:00.000Z"),
      }),
    );
    expect(await workOnce()).toBe(false);
    portal.clock.advance({ hours: 1 });
    expect(await workOnce()).toBe(true);
  });

  test("a message is withdrawn only while no worker has begun to send it", async () => {
    const mail = {
      kind: "statusNews",
      to: "a@eksempel.dk",
      subject: "s",
      text: "t",
      html: "h",
      referralId: 77,
    } as const;
    const withdraw = () => inTransaction(portal.db, (tx) => portal.outboxIn(tx).withdraw("statusNews", [77, 78]));
    const [waiting, begun] = await inTransaction(portal.db, async (tx) => [
      await portal.outboxIn(tx).email(mail),
      await portal.outboxIn(tx).email(mail),
    ]);
    await portal.db
      .updateTable("outbox")
      .set({ attempts: 1, sendingSince: "2026-12-01T09:00:00.000Z" })
      .where("id", "=", begun)
      .execute();
    expect(await withdraw()).toEqual([77]);
    expect(await rowOf(waiting)).toMatchObject({ outcome: "withdrawn", settledAt: "2026-12-01T09:00:00.000Z" });
    expect((await rowOf(begun)).outcome).toBe("queued");
    expect(await withdraw()).toEqual([]);
  });

  test("a message is resent at most once, also for two simultaneous requests", async () => {
    const id = await queue();
    const again = () =>
      inTransaction(portal.db, (tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "testMessage", to: "a@eksempel.dk", subject: "s", text: "t", html: "h", resendsId: id }),
      );
    const second = await again();
    await expect(again()).rejects.toThrow(/unique|duplicate/i);
    expect((await rowOf(second)).resendsId).toBe(id);
    expect(await portal.db.selectFrom("outbox").select("id").where("resendsId", "=", id).execute()).toEqual([
      { id: second },
    ]);
  });

  test("a kind uses only its own channels", async () => {
    await expect(
      inTransaction(portal.db, (tx) =>
        portal.outboxIn(tx).sms({ kind: "passwordReset", to: "+4540123456", text: "t" }),
      ),
    ).rejects.toThrow("passwordReset is not sent by sms.");
  });
});
