import type { CarInfo } from "~/features/parking/operations.server";
import { UNKNOWN_PLATE } from "~/features/parking/plate";
import { InlineIcon } from "~/ui/icons/inline-icon";

export function CarLine({ car }: { car: CarInfo | null }) {
  return (
    <p className="m-0 mt-1 min-h-6 text-meta" role="status">
      {car?.kind === "found" && (
        <span className="flex items-center text-ok">
          <InlineIcon name="done" size={18} className="mr-2" />
          {car.text}
        </span>
      )}
      {car?.kind === "notFound" && (
        <span className="flex items-center text-err">
          <InlineIcon name="alert" size={18} className="mr-2" />
          {UNKNOWN_PLATE}
        </span>
      )}
    </p>
  );
}
