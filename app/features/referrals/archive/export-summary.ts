import type { Outcome } from "~/features/delivery/delivery-outcome";
import {
  EXPORT_ARCHIVED,
  EXPORT_FAILED,
  EXPORT_NO_DATA,
  EXPORT_PLANNED,
} from "~/features/referrals/details/sent-items";

interface Exported {
  export: { outcome: Outcome } | null;
}

/**
 * The one state of a referral's images in the archive: planned while any is on its way, else failed when any failed or nobody knows of it, else
 * archived. Null: none was ever planned; no data where all that were are gone.
 */
export function exportSummary(images: readonly Exported[], before: number | null): number | null {
  const counted = images.flatMap((image) => image.export?.outcome ?? []);
  if (counted.some((outcome) => outcome === "queued" || outcome === "awaiting")) return EXPORT_PLANNED;
  if (counted.some((outcome) => outcome === "failed" || outcome === "unknown")) return EXPORT_FAILED;
  if (counted.includes("sent")) return EXPORT_ARCHIVED;
  return before === null ? null : EXPORT_NO_DATA;
}
