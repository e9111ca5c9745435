import type { Person } from "~/access/actor";
import { createAuditTrail } from "~/access/audit.server";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { outboxIn } from "~/features/delivery/outbox-store.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { makeLetterBatch, markBatchPrinted } from "~/features/letter-batches/make-letter-batch.server";
import type { PersonAnswer } from "~/gateways/person-register/port";
import type { SendingGateway, SendResult } from "~/gateways/sending/port";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { localDate, toMoment } from "~/text/dates";
import { callerOf, type StoryClock } from "./demo-scenario.server";

/** Providers, a printer and a register with scripted answers: nothing leaves the machine. */
export interface DemoProviders {
  /** The portal at the story's time, with these providers. */
  past: Portal;
  /** The register's answers by CPR number; `notFound` for all others. */
  register: Map<string, PersonAnswer>;
  as<Input>(actor: Person, operation: Operation<Input, unknown>, input: object): Promise<void>;
  /** Sends the oldest due message of a channel, with this answer of its provider. */
  deliver(channel: ChannelName, answer?: SendResult): Promise<void>;
  /** Sends every due message that no person prints. */
  deliverDue(): Promise<void>;
  makeBatch(actor: Person): Promise<void>;
  printBatch(actor: Person): Promise<void>;
}

/** Working days since the clinic has an image archive. Every image archived takes a tenth of a second of the first start. */
const ARCHIVED_DAYS = 20;

const ARRIVED: SendResult = { outcome: "sent", detail: "" };

export function createDemoProviders(portal: Portal, clock: StoryClock): DemoProviders {
  let answer = ARRIVED;
  const provider = {
    label: "Demo",
    mode: "live",
    deduplicates: true,
    send: async () => answer,
  } satisfies SendingGateway<unknown>;
  const register: DemoProviders["register"] = new Map();
  const past: Portal = {
    ...portal,
    clock,
    audit: createAuditTrail(portal.db, portal.secrets, clock, (error) =>
      portal.log.error({ err: error }, "demo audit"),
    ),
    email: provider,
    sms: provider,
    eboks: provider,
    print: { ...provider, mode: "batch" },
    edi: { ...provider, mode: "embedded" },
    // The demo's own PDFs are whole, and are not worth a process that reads them.
    previews: { ...portal.previews, checkPdf: async () => "readable" },
    imageArchive: {
      ...portal.imageArchive,
      send: provider.send,
      get mode() {
        return localDate(clock.now()) < clock.day(-ARCHIVED_DAYS) ? "notConfigured" : "embedded";
      },
    },
    personRegister: {
      label: "Demo",
      isReal: false,
      find: async (cpr) => register.get(cpr) ?? { kind: "notFound" },
    },
    outboxIn: (tx) => outboxIn(tx, past),
  };
  const system = systemCaller("demo");
  const providers: DemoProviders = {
    past,
    register,
    async as(actor, operation, input) {
      await execute(past, callerOf(actor), operation, plainInput(input));
    },
    async deliver(channel, given = ARRIVED) {
      answer = given;
      await execute(past, system, sendMessage, plainInput({ owner: "demo", channel }));
      answer = ARRIVED;
    },
    async deliverDue() {
      const due = await past.db
        .selectFrom("outbox")
        .select("channel")
        .where("outcome", "=", "queued")
        .where("notBefore", "<=", toMoment(clock.now()))
        .where("channel", "!=", "print")
        .execute();
      for (const { channel } of due) await providers.deliver(channel as ChannelName);
    },
    makeBatch: (actor) => providers.as(actor, makeLetterBatch, {}),
    async printBatch(actor) {
      await providers.makeBatch(actor);
      const made = await past.db
        .selectFrom("letterBatch")
        .select("id")
        .where("printedAt", "is", null)
        .orderBy("id", "desc")
        .executeTakeFirst();
      if (made) await providers.as(actor, markBatchPrinted, { batchId: made.id });
    },
  };
  return providers;
}
