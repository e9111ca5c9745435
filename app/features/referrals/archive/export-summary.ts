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
 * Combined archive state of a referral's images: planned while any is under way, else failed if any failed or is
 * unknown, else archived. Null if none was planned; no data if all were deleted.
 */
export function exportSummary(images: readonly Exported[], before: number | null): number | null {
  const counted = images.flatMap((image) => image.export?.outcome ?? []);
  if (counted.some((outcome) => outcome === "queued" || outcome === "awaiting")) return EXPORT_PLANNED;
  if (counted.some((outcome) => outcome === "failed" || outcome === "unknown")) return EXPORT_FAILED;
  if (counted.includes("sent")) return EXPORT_ARCHIVED;
  return before === null ? null : EXPORT_NO_DATA;
}
