import { z } from "zod";
import { change } from "~/access/operation.server";
import { localDate } from "~/text/dates";
import { deleteBookings, deleteDaysBefore, findEndedBefore } from "./parking-store.server";

const BATCH_SIZE = 500;
const REDACTED_TEXT = "Kvittering for parkering. Nummerplade og mobilnummer er slettet.";

/** Deletes bookings and their receipts the day after. A booking waits until its receipt is settled. */
export const deleteEndedParking = change({
  name: "parking.forget",
  permission: "system",
  input: z.object({}),
  async run({ tx, outbox, now }) {
    const today = localDate(now);
    const { ids, receipts } = await findEndedBefore(tx, today, BATCH_SIZE);
    const redacted = new Set(
      await outbox.redactSms(
        receipts.map(({ outboxId }) => outboxId),
        REDACTED_TEXT,
      ),
    );
    const waiting = new Set(
      receipts.filter(({ outboxId }) => !redacted.has(outboxId)).map(({ bookingId }) => bookingId),
    );
    await deleteBookings(
      tx,
      ids.filter((id) => !waiting.has(id)),
    );
    await deleteDaysBefore(tx, today);
    return { data: { forgotten: ids.length - waiting.size } };
  },
});
