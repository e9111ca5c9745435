import type { AttachedFile, SendResult } from "~/gateways/sending/port";
import type { LetterContent } from "../port";
import { type Channel, usualChannel } from "./channel.server";

const letter = { ...usualChannel, needsFile: true } as const;

/** `to` is the CPR number, `DDMMYY-XXXX`. */
export const eboks: Channel<LetterContent> = {
  ...letter,
  logType: "EBOKS",
  gateway: (portal) => portal.eboks,
  send: (portal, { key, globalId, to, content, file }, signal) =>
    withFile(file, (pdf) => portal.eboks.send({ key, letterId: globalId, cpr: to, ...content, file: pdf }, signal)),
};

/** `to` is the postal address: name first, one line each. */
export const print: Channel<LetterContent> = {
  ...letter,
  logType: "print",
  gateway: (portal) => portal.print,
  send: (portal, { key, globalId, to, content, file }, signal) =>
    withFile(file, (pdf) =>
      portal.print.send({ key, letterId: globalId, address: to.split("\n"), ...content, file: pdf }, signal),
    ),
};

export async function withFile(
  file: AttachedFile | null,
  send: (file: AttachedFile) => Promise<SendResult>,
): Promise<SendResult> {
  return file === null ? { outcome: "refused", detail: "Brevet har ingen fil" } : send(file);
}
