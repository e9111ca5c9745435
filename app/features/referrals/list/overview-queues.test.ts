import { expect, test } from "vitest";
import { aPerson } from "../../../../tests/factories/people";
import { type List, overviewPortal } from "../../../../tests/support/portals/overview-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import type { Person } from "~/access/actor";
import { closeCallUpStats } from "./read-queues.server";
import { listReferrals } from "./list-referrals.server";
import { overview } from "./overview-list.server";

forEachDatabase("the overview", (dialect) => {
  let portal: TestPortal;
  const { people, ids, set, list } = overviewPortal(dialect, (opened) => {
    portal = opened;
  });

  test("shows the triage queue, urgent first, oldest first, urgent counted apart", async () => {
    const urgent = [ids[30]!, ids[7]!];
    for (const id of urgent) await set(id, { referenceType: 1 });
    portal.cache.invalidate("queues of");
    const [first, triage] = (await list(people.admin)).queues;
    expect([first, triage]).toMatchObject([
      { kind: "untriagedUrgent", count: 2 },
      { kind: "awaitingTriage", count: 45 },
    ]);
    const order = [ids[7]!, ids[30]!, ...ids.filter((id) => !urgent.includes(id))];
    const open = async (input: Record<string, unknown>) =>
      (await portal.as(people.admin, listReferrals, input)) as List;
    const one = await open({ f: triage!.f, sort: triage!.sort });
    const two = await open({ f: triage!.f, sort: triage!.sort, page: 2, cursor: one.end });
    expect([...one.rows, ...two.rows].map(({ id }) => id)).toEqual(order.slice(0, 40));
    expect((await open({ f: first!.f, sort: first!.sort })).rows.map(({ id }) => id)).toEqual(order.slice(0, 2));
    await set(ids[7]!, { status: 2 });
    const after = await open({ f: triage!.f, sort: triage!.sort, openId: ids[7] });
    expect([after.rows[0]!.id, after.rows[0]!.hasLeft, after.rows[1]!.id]).toEqual([ids[7], true, ids[30]]);
    expect((await list(people.other, null, { sort: "8" })).rows.map(({ id }) => id)).toEqual(
      [ids[30]!, ...ids.filter((id, index) => index % 3 === 0 && id !== ids[30])].slice(0, 20),
    );
    await set(ids[7]!, { status: 0 });
    for (const id of urgent) await set(id, { referenceType: 0 });
    portal.cache.invalidate("queues of");
  });

  test("urgent and untriaged stays in the red queue in 0, 4, 16 and on hold", async () => {
    const urgent = ids.slice(3, 8);
    const untriaged = [0, 16, 4];
    for (const [index, id] of urgent.entries()) await set(id, { referenceType: 1, status: untriaged[index] ?? 2 });
    const since = "2026-12-01T09:00:00.000Z";
    const held = { status: 0, statusSince: since, heldSince: since, heldUntil: "2028-11-01" };
    await set(urgent[3]!, held);
    portal.cache.invalidate("queues of");
    const red = (await list(people.surgeon)).queues[0]!;
    expect(red).toMatchObject({ kind: "untriagedUrgent", count: 4 });
    const behind = (await portal.as(people.surgeon, listReferrals, { f: red.f, sort: red.sort })) as List;
    expect(behind.rows.map(({ id }) => id)).toEqual(urgent.slice(0, 4));
    const back = { referenceType: 0, status: 0, statusSince: null, heldSince: null, heldUntil: null };
    for (const id of urgent) await set(id, back);
    portal.cache.invalidate("queues of");
  });

  test("the clinic's judgement, not the referrer's, makes the red queue and the order", async () => {
    const [judgedUrgent, judgedCalm] = ids.slice(9, 11) as [number, number];
    await set(judgedUrgent, { triageUrgency: 1 });
    await set(judgedCalm, { referenceType: 1, triageUrgency: 0 });
    portal.cache.invalidate("queues of");
    const red = (await list(people.surgeon)).queues[0]!;
    expect(red).toMatchObject({ kind: "untriagedUrgent", count: 1 });
    const rowsOf = async (query: { f: string; sort: string }) =>
      ((await portal.as(people.surgeon, listReferrals, query)) as List).rows.map(({ id }) => id);
    expect(await rowsOf(red)).toEqual([judgedUrgent]);
    expect((await rowsOf({ f: "s0", sort: red.sort }))[0]).toBe(judgedUrgent);
    for (const id of [judgedUrgent, judgedCalm]) await set(id, { referenceType: 0, triageUrgency: null });
    portal.cache.invalidate("queues of");
  });

  test("counts the queues in the reader's scope, with the age of the oldest", async () => {
    portal.clock.advance({ days: 3 });
    await set(ids[0]!, { hasUnansweredMessage: true });
    portal.cache.invalidate("queues of");
    const [messages, triage] = (await list(people.admin)).queues;
    expect([messages, triage]).toMatchObject([
      { kind: "newMessages", count: 1, oldestDays: null },
      { kind: "awaitingTriage", count: 45, oldestDays: 3 },
    ]);
    const behind = (await portal.as(people.admin, listReferrals, { f: triage!.f })) as List;
    expect(behind.total).toBe(45);
    expect((await list(people.other)).queues).toMatchObject([{ count: 15 }]);
  });

  test("an unanswered message waits in its queue whatever the status", async () => {
    const written = ids.slice(20, 23);
    for (const [index, id] of written.entries())
      await set(id, { hasUnansweredMessage: true, status: [7, 8, 10][index]! });
    portal.cache.invalidate("queues of");
    const messages = (await list(people.admin)).queues.find(({ kind }) => kind === "newMessages");
    const behind = (await portal.as(people.admin, listReferrals, { f: messages!.f })) as List;
    expect(behind.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(written));
    expect(messages!.count).toBe(behind.total);
    for (const id of written) await set(id, { hasUnansweredMessage: false, status: 0 });
    portal.cache.invalidate("queues of");
  });

  test("a queue longer than lists are counted says that there are more", async () => {
    const { maxCounted } = overview;
    overview.maxCounted = 40;
    portal.cache.invalidate("queues of");
    expect((await list(people.surgeon)).queues[0]).toMatchObject({ kind: "awaitingTriage", count: 40, isMore: true });
    overview.maxCounted = maxCounted;
    portal.cache.invalidate("queues of");
    expect((await list(people.surgeon)).queues[0]).not.toHaveProperty("isMore");
  });

  test("a surgeon has a queue of their own referrals that need them, urgent first", async () => {
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    const own = ids.slice(10, 13);
    for (const id of own) await set(id, { surgeonId: surgeon.id });
    await set(own[1]!, { referenceType: 1 });
    await set(own[2]!, { status: 2 });
    portal.cache.invalidate("queues of");
    const mine = (await list(surgeon)).queues.find(({ kind }) => kind === "mine");
    expect(mine).toMatchObject({ count: 2, oldestDays: null, f: "s0-16-6e" });
    const behind = (await portal.as(surgeon, listReferrals, { f: mine!.f, sort: mine!.sort })) as List;
    expect(behind.rows.map(({ id }) => id)).toEqual([own[1], own[0]]);
    expect((await list(people.admin)).queues.map(({ kind }) => kind)).not.toContain("mine");
    for (const id of own) await set(id, { surgeonId: null, referenceType: 0, status: 0 });
    portal.cache.invalidate("queues of");
  });

  test("a surgeon's queues begin with triage, an administrator's with new messages", async () => {
    await set(ids[1]!, { referenceType: 1 });
    await set(ids[2]!, { status: 3 });
    portal.cache.invalidate("queues of");
    const kinds = async (person: Person) => (await list(person)).queues.map(({ kind }) => kind);
    expect(await kinds(people.surgeon)).toEqual(["untriagedUrgent", "awaitingTriage", "readyForCallUp", "newMessages"]);
    expect(await kinds(people.admin)).toEqual(["newMessages", "untriagedUrgent", "readyForCallUp", "awaitingTriage"]);
    await set(ids[1]!, { referenceType: 0 });
    await set(ids[2]!, { status: 0 });
    portal.cache.invalidate("queues of");
  });

  test("a cancelled time waits in a queue until another status", async () => {
    await set(ids[3]!, { status: 13 });
    await set(ids[4]!, { status: 15 });
    portal.cache.invalidate("queues of");
    const queue = async (person: Person) => (await list(person)).queues.find(({ kind }) => kind === "needsNewTime");
    const waiting = await queue(people.admin);
    expect(waiting).toMatchObject({ count: 2, f: "s13-15" });
    const behind = (await portal.as(people.surgeon, listReferrals, { f: waiting!.f })) as List;
    expect(behind.rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([ids[3], ids[4]]);
    await set(ids[3]!, { status: 3 });
    await set(ids[4]!, { status: 0 });
    portal.cache.invalidate("queues of");
    expect(await queue(people.admin)).toBeUndefined();
    await set(ids[3]!, { status: 0 });
    portal.cache.invalidate("queues of");
  });

  test("shows overdue call-ups in a banner with links, until it is closed", async () => {
    const since = "2026-11-01T09:00:00.000Z";
    await set(ids[5]!, { status: 5, statusSince: since });
    await set(ids[6]!, { status: 5, statusSince: "2026-12-02T09:00:00.000Z" });
    await set(ids[8]!, { status: 9, statusSince: since });
    await set(ids[9]!, { status: 11, statusSince: since });
    portal.cache.invalidate("call-up stats");
    const once = { messages: [], pendingForm: null, infoPopupSeen: true, showCallUpStats: true };
    const seen = async (person: Person, more = {}) =>
      ((await portal.as(person, listReferrals, {}, { flash: { ...once, ...more } })) as List).callUps;
    const banner = await seen(people.admin);
    expect(banner).toMatchObject({
      days: 14,
      counts: [
        { kind: "called", count: 1 },
        { kind: "calledTwice", count: 1 },
        { kind: "notReached", count: 1 },
      ],
    });
    for (const [index, id] of [ids[5], ids[8], ids[9]].entries()) {
      expect(
        ((await portal.as(people.admin, listReferrals, { f: banner!.counts[index]!.f })) as List).rows.map(
          (row) => row.id,
        ),
      ).toEqual([id]);
    }
    expect(await seen(people.admin, { showCallUpStats: false })).toBeNull();
    expect(await seen(people.dentist)).toBeNull();
    await portal.db
      .insertInto("setting")
      .values({ name: "statusActiveDays", value: "1", modifiedAt: since, modifierId: null })
      .execute();
    portal.cache.invalidate("call-up stats");
    expect(await seen(people.admin)).toMatchObject({ days: 1, counts: [{ count: 2 }, { count: 1 }, { count: 1 }] });
    expect(await portal.as(people.admin, closeCallUpStats, {})).toEqual({});
  });
});
