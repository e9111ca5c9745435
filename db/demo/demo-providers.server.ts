import type { Person } from "~/access/actor";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { outboxIn } from "~/features/delivery/outbox-store.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { makeLetterBatch, markBatchPrinted } from "~/features/letter-batches/make-letter-batch.server";
import type { SendingGateway, SendResult } from "~/gateways/sending/port";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";
import { callerOf } from "./demo-scenario";

/** Providers, a printer and a register with scripted answers: nothing leaves the machine. */
export interface DemoProviders {
  protectedCprs: Set<string>;
  as<Input>(actor: Person, operation: Operation<Input, unknown>, input: object): Promise<void>;
  deliver(channel: ChannelName, answer?: SendResult): Promise<void>;
  makeBatch(actor: Person): Promise<void>;
  printBatch(actor: Person): Promise<void>;
}

const ARRIVED: SendResult = { outcome: "sent", detail: "" };

/** @param past the portal with the clock of the story */
export function createDemoProviders(past: Portal): DemoProviders {
  let answer = ARRIVED;
  const provider = {
    label: "Demo",
    mode: "live",
    deduplicates: true,
    send: async () => answer,
  } satisfies SendingGateway<unknown>;
  const protectedCprs = new Set<string>();
  const portal: Portal = {
    ...past,
    email: provider,
    sms: provider,
    eboks: provider,
    print: { ...provider, mode: "batch" },
    edi: { ...provider, mode: "embedded" },
    personRegister: {
      label: "Demo",
      isReal: false,
      find: async (cpr) => ({ kind: protectedCprs.has(cpr) ? "protected" : "notFound" }),
    },
    // Mails to patients are queued one at a time; bulk mails to referrers are not recorded.
    outboxIn: (tx) => ({ ...outboxIn(tx, past), emails: async () => undefined }),
  };
  const providers: DemoProviders = {
    protectedCprs,
    async as(actor, operation, input) {
      await execute(portal, callerOf(actor), operation, plainInput(input));
    },
    async deliver(channel, given = ARRIVED) {
      answer = given;
      await execute(portal, systemCaller("demo"), sendMessage, plainInput({ owner: "demo", channel }));
    },
    makeBatch: (actor) => providers.as(actor, makeLetterBatch, {}),
    async printBatch(actor) {
      await providers.makeBatch(actor);
      const made = await portal.db
        .selectFrom("letter_batch")
        .select("id")
        .where("printed_at", "is", null)
        .orderBy("id", "desc")
        .executeTakeFirst();
      if (made) await providers.as(actor, markBatchPrinted, { batchId: made.id });
    },
  };
  return providers;
}
