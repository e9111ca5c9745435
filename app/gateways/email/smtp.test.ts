// @module-tag node
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listening } from "../../../tests/support/peers/listening";
import { startSmtpPeer } from "../../../tests/support/peers/smtp-peer";
import { createSmtpGateway } from "./smtp.server";

const listen = listening();

const mail = {
  key: "outbox-1",
  from: { name: "Portalen", address: "portal@eksempel.dk" },
  to: "patient@eksempel.dk",
  subject: "Emne",
  text: "Tekst",
  html: "<p>Tekst</p>",
};

type Command = "greeting" | "EHLO" | "MAIL FROM" | "RCPT TO" | "message";

/** A server that accepts everything except one command. */
async function answering(command: Command, answer: string | null) {
  const port = await listen(
    createServer((socket) => {
      let isReading = false;
      const reply = (to: Command, usual: string) => {
        if (to !== command) socket.write(`${usual}\r\n`);
        else if (answer === null) socket.destroy();
        else socket.write(`${answer}\r\n`);
      };
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        const text = chunk.toString("latin1");
        if (isReading && !text.endsWith("\r\n.\r\n")) return;
        if (isReading) reply("message", "250 taken");
        else if (text.startsWith("EHLO") || text.startsWith("HELO")) reply("EHLO", "250 peer");
        else if (text.startsWith("MAIL FROM")) reply("MAIL FROM", "250 ok");
        else if (text.startsWith("RCPT TO")) reply("RCPT TO", "250 ok");
        else if (text.startsWith("DATA")) socket.write("354 go on\r\n");
        else socket.write("250 ok\r\n");
        isReading = text.startsWith("DATA");
      });
      reply("greeting", "220 peer");
    }),
  );
  return createSmtpGateway(`smtp://127.0.0.1:${port}`).send(mail, AbortSignal.timeout(10_000), async () => undefined);
}

test.each([
  ["greeting", "554 no service here"],
  ["greeting", "421 come back later"],
  ["EHLO", "421 too many connections"],
  ["MAIL FROM", "550 sender not allowed"],
  ["MAIL FROM", "451 try again"],
  ["RCPT TO", "421 closing"],
  ["RCPT TO", null],
] as const)("%s answered by '%s' is about every mail: it waits, and so does the lane", async (command, answer) => {
  expect(await answering(command, answer)).toMatchObject({ outcome: "retry", isChannelDown: true });
});

test.each([
  ["RCPT TO", "550 no such user", { outcome: "refused", reason: "noMailbox" }],
  ["RCPT TO", "452 mailbox full", { outcome: "retry", reason: "mailboxFull" }],
  ["RCPT TO", "550 5.1.1 no such user", { outcome: "refused", reason: "noMailbox", detail: "550 5.1.1" }],
  ["RCPT TO", "550 5.7.1 blocked by policy", { outcome: "refused", reason: "mailRefused", detail: "550 5.7.1" }],
  ["RCPT TO", "554 5.7.1 relay access denied", { outcome: "refused", reason: "mailRefused" }],
  ["RCPT TO", "553 5.7.1 sender not allowed", { outcome: "refused", reason: "mailRefused" }],
  ["RCPT TO", "554 no relay", { outcome: "refused", reason: "mailRefused" }],
  ["RCPT TO", "552 5.2.2 mailbox full", { outcome: "refused", reason: "mailboxFull" }],
  ["RCPT TO", "552 5.3.4 too big", { outcome: "refused", reason: "mailTooBig" }],
  ["RCPT TO", "501 5.1.3 bad syntax", { outcome: "refused", reason: "noMailbox", detail: "501 5.1.3" }],
  ["RCPT TO", "501 bad syntax", { outcome: "refused", reason: "noMailbox", detail: "501" }],
  ["RCPT TO", "450 4.2.0 greylisted", { outcome: "retry", reason: "receiverDelays", detail: "450 4.2.0" }],
  ["message", "554 5.7.1 spam", { outcome: "refused", reason: "mailRefused", detail: "554 5.7.1" }],
  ["message", "550 looks like spam", { outcome: "refused", reason: "mailRefused", detail: "550" }],
  ["message", "552 5.3.4 too big", { outcome: "refused", reason: "mailTooBig" }],
  ["message", "554 refused", { outcome: "refused", reason: "mailRefused" }],
  ["message", "451 try again", { outcome: "retry", reason: "receiverDelays" }],
] as const)("%s answered by '%s' is about the one mail", async (command, answer, result) => {
  const { isChannelDown, ...answered } = (await answering(command, answer)) as { isChannelDown?: boolean };
  expect(answered).toMatchObject(result);
  expect(isChannelDown).not.toBe(true);
});

test("a connection lost after the last line leaves the mail unknown", async () => {
  expect(await answering("message", null)).toMatchObject({ outcome: "unknown", isChannelDown: true });
});

test("where TLS is required, a server without it gets nothing", async () => {
  const peer = await startSmtpPeer();
  try {
    const gateway = createSmtpGateway(peer.url.replace("://", "://portal:hemmelig@"), { requireTLS: true });
    const result = await gateway.send(mail, AbortSignal.timeout(10_000), async () => undefined);
    expect(result).toMatchObject({ outcome: "retry", isChannelDown: true });
    expect([peer.requests, peer.deliveries]).toEqual([0, []]);
  } finally {
    await peer.stop();
  }
});
