import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { setSurgeon } from "~/features/referrals/details/operations.server";
import { messagesPortal, type People } from "../../../tests/support/portals/messages-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { markMessages } from "./operations.server";

forEachDatabase("messages", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let people: People;
  let referralId: number;
  const { write, thread, marks } = messagesPortal(dialect, (begun) => {
    ({ portal, people, referralId } = begun);
  });

  describe("marks", () => {
    test("a referrer's message is unanswered until the clinic answers; no version rises", async () => {
      const before = await marks();
      await write(people.secretary, "Hvornår?");
      expect(await marks()).toEqual({
        ...before,
        hasUnansweredMessage: true,
        surgeonHasUnreadMessages: true,
        referrerHasUnreadMessages: false,
      });
      await write(people.admin, "På mandag");
      expect(await marks()).toEqual({
        ...before,
        hasUnansweredMessage: false,
        surgeonHasUnreadMessages: false,
        referrerHasUnreadMessages: true,
      });
    });

    test("each side marks its own messages read, which is no answer", async () => {
      await write(people.dentist, "Hvornår?");
      expect(await thread(people.surgeon)).toMatchObject({ isUnread: true, newCount: 1 });
      await portal.as(people.surgeon, markMessages, { referralId, read: "yes" });
      expect(await marks()).toMatchObject({ hasUnansweredMessage: true, surgeonHasUnreadMessages: false });
      expect(await thread(people.surgeon)).toMatchObject({ isUnread: false, newCount: 0 });
      await write(people.admin, "På mandag");
      await portal.as(people.secretary, markMessages, { referralId, read: "yes" });
      expect(await marks()).toMatchObject({ surgeonHasUnreadMessages: false, referrerHasUnreadMessages: false });
      await portal.as(people.dentist, markMessages, { referralId, read: "no" });
      expect(await marks()).toMatchObject({ surgeonHasUnreadMessages: false, referrerHasUnreadMessages: true });
    });

    test("a message that came after the page was drawn stays unread and unanswered", async () => {
      await write(people.dentist, "Hvornår?");
      const newestShown = (await thread(people.admin)).items.at(-1)!.id;
      await write(people.dentist, "Haster: patienten har feber");
      await write(people.admin, "På mandag", { newestShown });
      expect(await marks()).toMatchObject({
        hasUnansweredMessage: true,
        surgeonHasUnreadMessages: true,
        referrerHasUnreadMessages: true,
      });
      const { items, newCount } = await thread(people.admin);
      expect([newCount, items.filter(({ isNew }) => isNew).map(({ text }) => text)]).toEqual([
        1,
        ["Haster: patienten har feber"],
      ]);
      await portal.as(people.admin, markMessages, { referralId, read: "yes", newestShown });
      expect(await marks()).toMatchObject({ hasUnansweredMessage: true, surgeonHasUnreadMessages: true });
      await write(people.admin, "Kom i dag", { newestShown: items.at(-1)!.id });
      expect(await marks()).toMatchObject({ hasUnansweredMessage: false, surgeonHasUnreadMessages: false });
      expect((await thread(people.admin)).newCount).toBe(0);
    });

    test("a clinic's message that the referrer's page did not show stays unread for them", async () => {
      await write(people.dentist, "Hvornår?");
      const newestShown = (await thread(people.dentist)).items.at(-1)!.id;
      await write(people.admin, "Ring til os i dag");
      await write(people.dentist, "Har I set mit spørgsmål?", { newestShown });
      expect(await marks()).toMatchObject({
        hasUnansweredMessage: true,
        surgeonHasUnreadMessages: true,
        referrerHasUnreadMessages: true,
      });
      expect((await thread(people.dentist)).newCount).toBe(1);
    });

    test("the overview shows unanswered messages to the clinic, new ones to the referrer", async () => {
      const shows = async (person: Person) =>
        (await portal.as(person, listReferrals, {})).rows!.find((row) => row.id === referralId)!.hasNewMessage;
      await write(people.dentist, "Hvornår?");
      expect([await shows(people.admin), await shows(people.dentist), await shows(people.secretary)]).toEqual([
        true,
        false,
        false,
      ]);
      await write(people.admin, "På mandag");
      expect([await shows(people.admin), await shows(people.dentist), await shows(people.secretary)]).toEqual([
        false,
        true,
        true,
      ]);
    });
  });

  test("the queue of unanswered messages opens its first referral at them", async () => {
    await write(people.secretary, "Hvornår?");
    const { queues } = await portal.as(people.admin, listReferrals, {});
    const { f } = queues!.find(({ kind }) => kind === "newMessages")!;
    expect(await portal.as(people.admin, listReferrals, { f, open: "first" })).toMatchObject({
      redirectTo: expect.stringMatching(new RegExp(`/${referralId}\\?.*#beskeder$`)),
    });
  });

  describe("the surgeon on the thread", () => {
    test("is chosen by staff among the surgeons, guarded by version, and can be removed", async () => {
      const { version } = await marks();
      const set = (surgeonId: number | undefined, seenVersion: number, person = people.admin) =>
        portal.as(person, setSurgeon, { referralId, surgeonId, seenVersion });
      await expect(set(people.dentist.id, version)).rejects.toMatchObject({ name: "invalid" });
      for (let press = 0; press < 2; press += 1) await set(people.surgeon.id, version);
      await expect(set(undefined, version)).rejects.toMatchObject({ name: "conflict" });
      expect((await thread(people.admin)).clinic).toMatchObject({ surgeonId: people.surgeon.id });
      await set(undefined, version + 1);
      expect((await thread(people.admin)).clinic).toMatchObject({ surgeonId: null });
      expect(
        (await portal.as(people.admin, readOpenReferral, { referralId })).log.slice(0, 2).map((entry) => entry.what),
      ).toEqual(["Ingen kirurg på sagen", `${people.surgeon.firstName} ${people.surgeon.lastName} er kirurg på sagen`]);
      expect((await thread(people.dentist)).clinic).toBeNull();
    });
  });
});
