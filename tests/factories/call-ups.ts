import type { Portal } from "~/portal.server";
import { sealedCallUp } from "~/access/sealed-column.server";
import { toMoment } from "~/text/dates";

/** A call-up by SMS that left, or failed. */
export async function aCallUp(portal: Portal, referralId: number, state: "sent" | "failed" = "sent"): Promise<void> {
  const at = toMoment(portal.clock.now());
  await portal.db
    .insertInto("call_up")
    .values({
      referral_id: referralId,
      referral_status: null,
      outbox_id: null,
      call_up_type: 2,
      call_up_status: state === "sent" ? 3 : 2,
      incall_date: at,
      ...sealedCallUp.seal(portal.secrets, "Ring til os."),
      stored_file_id: null,
      visit_log_id: null,
      created_at: at,
    })
    .execute();
}
