import { z } from "zod";
import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { EdiState } from "~/features/edi/edi-states";
import { cprOfLetter } from "~/features/edi/message-content";
import { type EdiMessage, lockEdiMessage } from "~/features/edi/store/edi-message-store.server";

export const ediMessageInput = z.object({ messageId: z.coerce.number<unknown>().int().positive() });

export const ediFormId = (messageId: number) => `edi-${messageId}`;

/** A message in one of these states, locked until the transaction ends. Throws `notInScope` and `conflict`. */
export async function openMessage(
  { tx, portal, concerns }: ChangeContext,
  messageId: number,
  states: readonly EdiState[],
): Promise<EdiMessage> {
  const message = await lockEdiMessage(tx, portal.secrets, messageId);
  if (message === null) throw new Refusal("notInScope", { text: "EDI-beskeden findes ikke." });
  const cpr = cprOfLetter(message.content?.letter ?? null);
  if (cpr !== null) concerns({ cpr });
  if (!states.includes(message.state))
    throw new Refusal("conflict", { text: "Nogen har allerede taget sig af beskeden." });
  return message;
}

export const flashOf = (messageId: number, text: string) => ({
  tone: "success" as const,
  formId: ediFormId(messageId),
  text: `EDI-besked ${messageId}: ${text}`,
});
