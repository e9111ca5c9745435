import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { smsThreadsPortal } from "../../../tests/support/portals/sms-threads-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { markSmsRead } from "./settle-answer.server";
import { replySms } from "./operations.server";

forEachDatabase("threads of SMS", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { work, answer, thread, queues } = smsThreadsPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });
  let replies = 0;

  test("an acknowledgement needs no attention; others are new until answered", async () => {
    await answer("Ok tak 👍");
    expect(await queues()).toMatchObject({ unread: 0 });
    await answer("Hvor kan jeg parkere?");
    expect(await queues()).toMatchObject({ unread: 1 });
    await portal.as(admin, markSmsRead, { referralId });
    expect(await queues()).toMatchObject({ unread: 0 });
    await answer("Er der elevator?");
    await portal.as(admin, replySms, {
      referralId,
      formKey: `form-${(replies += 1)}`,
      kind: "smsReply",
      text: "Ja, vi ses.",
    });
    expect(await queues()).toMatchObject({ unread: 0 });
    await work();
    expect((await thread()).messages.at(-1)).toMatchObject({ isIncoming: false, text: "Ja, vi ses.", status: 1 });
  });

  test.each([
    ["Dit nummer er 010190-1234", "Her står et CPR-nummer. Andre kan læse med: slet nummeret."],
    ["Husk din operation", /Det hører ikke hjemme i en SMS: »operation«/],
    ["Kære ((fornavn))", /udfyldes ikke her/],
    [" ", "Skriv et svar."],
  ])("an answer may not say “%s”", async (text, why) => {
    const reply = portal.as(admin, replySms, { referralId, formKey: `form-${(replies += 1)}`, kind: "smsReply", text });
    if (text === " ") return expect(reply).rejects.toMatchObject({ name: "invalid" });
    await expect(reply).rejects.toMatchObject({
      name: "invalid",
      fields: { text: [typeof why === "string" ? why : expect.stringMatching(why)] },
    });
    expect((await thread()).messages).toHaveLength(1);
  });
});
