import { describe, expect, test } from "vitest";
import type { Person } from "./actor";
import type { Caller } from "./caller";
import {
  boundFields,
  type FormTicket,
  isOwnTicket,
  openTicket,
  sealTicket,
  stagingKey,
  ticketIn,
} from "./form-ticket.server";
import { createSecrets } from "./secrets.server";

const secrets = createSecrets("a-secret-that-guards-nothing-at-all", null);
const person = (id: number, formerIds: number[] = []) => ({ kind: "person", id, formerIds }) as unknown as Person;
const caller = (actor: Caller["actor"], site: Caller["site"] = "local"): Caller => ({
  actor,
  site,
  address: "127.0.0.1",
  sessionId: null,
});
const subject = {
  fields: { referralId: 12 },
  versions: { version: 3, statusVersion: 2 },
  items: { messageId: [[5, 1] as const, [6] as const] },
};
const sealed = () => sealTicket(secrets, caller(person(7)), subject)!;
const opened = () => openTicket(secrets, sealed())!;
const formWith = (values: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};

describe("a form's ticket", () => {
  test("holds the person, the site and the subject, and a nonce of its own each time", () => {
    expect(opened()).toMatchObject({ personId: 7, site: "local", ...subject });
    expect(opened().nonce).not.toBe(opened().nonce);
  });

  test("is not sealed for nobody", () => {
    expect(sealTicket(secrets, caller({ kind: "anonymous" }), subject)).toBeUndefined();
  });

  test("opens under the previous secret, and under no other", () => {
    expect(
      openTicket(createSecrets("a-newer-secret-that-guards-nothing", "a-secret-that-guards-nothing-at-all"), sealed()),
    ).not.toBeNull();
    expect(openTicket(createSecrets("quite-another-secret-of-nobody", null), sealed())).toBeNull();
  });

  test.each([
    ["made up", "abc"],
    ["altered", `${sealed().slice(0, -4)}AAAA`],
    ["sealed for another purpose", secrets.encrypt("seal", "{}")],
  ])("is stale when it was %s", (_how, value) => {
    expect(ticketIn(secrets, "local", formWith({ ticket: value }))).toBe("stale");
  });

  test("is stale on the other site", () => {
    expect(ticketIn(secrets, "public", formWith({ ticket: sealed() }))).toBe("stale");
    expect(ticketIn(secrets, "local", formWith({}))).toBeNull();
  });

  test("belongs to its person, also once they were merged, and to nobody else", () => {
    const ticket = opened();
    expect(isOwnTicket(ticket, caller(person(7)))).toBe(true);
    expect(isOwnTicket(ticket, caller(person(9, [7])))).toBe(true);
    expect(isOwnTicket(ticket, caller(person(9)))).toBe(false);
  });
});

describe("what a ticket binds", () => {
  const bind = (item: string | null, seen: "version" | "statusVersion" = "version") =>
    boundFields(opened(), { item, seen });

  test("the subject, and the version that the operation compares", () => {
    expect(bind(null)).toEqual({ referralId: "12", seenVersion: "3" });
    expect(bind(null, "statusVersion")).toMatchObject({ seenVersion: "2" });
  });

  test("the row that the button named, with the version that it was shown with", () => {
    expect(bind("messageId:5")).toMatchObject({ referralId: "12", messageId: "5", seenVersion: "1" });
    expect(bind("messageId:6")).not.toHaveProperty("seenVersion");
  });

  test.each(["messageId:7", "fileId:5", "constructor:5", "messageId", ":"])("refuses the row %s", (item) => {
    expect(() => bind(item)).toThrow(expect.objectContaining({ name: "notInScope" }));
  });
});

describe("what a form's uploads wait under", () => {
  const key = (ticket: FormTicket, values: Record<string, string>) => stagingKey(ticket, formWith(values));

  test("differs between the forms of one page, and between its rows", () => {
    const ticket = opened();
    const keys = [
      key(ticket, { intent: "writeMessage" }),
      key(ticket, { intent: "editMessage", formId: "edit-5", item: "messageId:5" }),
      key(ticket, { intent: "editMessage", formId: "edit-6", item: "messageId:6" }),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(key(ticket, { intent: "writeMessage" })).toBe(keys[0]);
    expect(keys.every((each) => each.length <= 64)).toBe(true);
  });
});

describe("a form that was refused", () => {
  const begun = sealed();

  test.each([
    ["keeps the nonce it was begun with, where a conflict gave it a newer ticket", begun, true],
    [
      "has the newer ticket's own nonce where it was begun for another subject",
      sealTicket(secrets, caller(person(7)), { fields: { referralId: 13 } })!,
      false,
    ],
    [
      "has the newer ticket's own nonce where somebody else began it",
      sealTicket(secrets, caller(person(8)), subject)!,
      false,
    ],
    ["has the newer ticket's own nonce where the older one cannot be opened", "abc", false],
  ])("%s", (_what, first, isKept) => {
    const ticket = ticketIn(secrets, "local", formWith({ ticket: sealed(), begun: first })) as FormTicket;
    expect(ticket.nonce === openTicket(secrets, begun)!.nonce).toBe(isKept);
  });
});
