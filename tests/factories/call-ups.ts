import type { Portal } from "~/portal.server";
import { sealedCallUp } from "~/access/sealed-column.server";
import { toMoment } from "~/text/dates";

/** A call-up by SMS that left, or failed. */
export async function aCallUp(portal: Portal, referralId: number, state: "sent" | "failed" = "sent"): Promise<void> {
  const at = toMoment(portal.clock.now());
  await portal.db
    .insertInto("callUp")
    .values({
      referralId,
      referralStatus: null,
      outboxId: null,
      callUpType: 2,
      callUpStatus: state === "sent" ? 3 : 2,
      incallDate: at,
      ...sealedCallUp.seal(portal.secrets, "Ring til os."),
      storedFileId: null,
      visitLogId: null,
      createdAt: at,
    })
    .execute();
}
