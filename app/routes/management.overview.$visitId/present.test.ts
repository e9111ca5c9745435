import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { presentThread } from "./present";

const thread: Parameters<typeof presentThread>[0] = {
  items: [],
  isUnread: false,
  newCount: 0,
  ownCount: 0,
  changedAt: null,
  formKey: randomUUID(),
  clinic: null,
};

test("a message names its side and its moments", () => {
  const message = {
    id: 1,
    version: 1,
    isOwnSide: false,
    isNew: true,
    isFromClinic: true,
    authorName: "Åse Øst",
    createdAt: "2026-12-01T09:05:00.000Z",
    editedAt: null,
    text: "Hej",
    mayEdit: false,
    attachments: [],
  };
  const edited = { ...message, isFromClinic: false, editedAt: "2026-12-31T23:30:00.000Z" };
  expect(presentThread({ ...thread, items: [message, edited] }).items).toMatchObject([
    { id: 1, author: "Klinikken, Åse Øst", at: "01.12.2026 kl. 10.05", editedAt: null },
    { author: "Åse Øst", editedAt: "01.01.2027 kl. 00.30" },
  ]);
});
