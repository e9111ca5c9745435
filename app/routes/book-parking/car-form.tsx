import type { CarInfo } from "~/features/parking/operations.server";
import { confirmedText, UNKNOWN_PLATE_PUBLIC } from "~/features/parking/plate";
import { NO_RECEIPT, RECEIPT_HINT } from "~/features/parking/receipt-countries";
import type { ActionResult } from "~/http/forms/action-result";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";

interface CarFormProps {
  today: string;
  /** Why parking cannot be booked from here. */
  refusal: string | null;
  canSend: boolean;
  answer: ActionResult | undefined;
}

const fields = ["licensePlate", "mobilePhone", "confirmMobilePhone", "bookingDateTime"] as const;
type Field = (typeof fields)[number];

interface Answered {
  /** Plate of the booking; empty without one. */
  booked?: string;
  plate?: string;
  car: CarInfo | null;
  /** Whether the number's country gets receipts. */
  takesReceipt?: boolean;
}

/** The form. Everything its script does also works without it (public/book-parking.js). */
export function CarForm({ today, refusal, canSend, answer }: CarFormProps) {
  const data = answer?.data as Answered | undefined;
  const typed = (data?.booked === undefined ? (answer?.submission?.initialValue ?? {}) : {}) as Partial<
    Record<Field | "notFoundPlate", string>
  >;
  const errors = answer?.submission?.error ?? {};
  const lines = fields.flatMap((field) => (errors[field] ?? []).map((text) => ({ fieldId: field, text })));
  const isUnknown = data?.car?.kind === "notFound";
  const unfit = errors[""]?.join(" ") ?? refusal;
  const part = (name: Field) => ({
    name,
    defaultValue: typed[name] ?? "",
    ...(errors[name] ? { error: errors[name] } : {}),
  });
  return (
    <form method="post" action={paths.bookParking} noValidate>
      <DefaultIntent value="registerCar" />
      <input type="hidden" name="notFoundPlate" defaultValue={(isUnknown ? data.plate : typed.notFoundPlate) ?? ""} />
      <h1>REGISTRER DIN BIL HER</h1>
      <p className="lead">Så er bilen registreret, mens du er hos os.</p>
      <div data-said>
        {data?.booked !== undefined && (
          <Notice kind="success" live>
            {confirmedText(data.booked, canSend && data.takesReceipt === true)}
            {canSend && data.takesReceipt === false && `. ${NO_RECEIPT}`}
          </Notice>
        )}
        {lines.length > 0 ? (
          <ErrorSummary errors={lines} />
        ) : (
          unfit && (
            <Notice kind="error" live>
              {unfit}
            </Notice>
          )
        )}
      </div>
      <TextField {...part("licensePlate")} label="Din nummerplade:" className="short" autoComplete="off" />
      <p id="car" className={isUnknown ? "car car-bad" : "car"} role="status" data-unknown={UNKNOWN_PLATE_PUBLIC}>
        {isUnknown ? UNKNOWN_PLATE_PUBLIC : data?.car?.kind === "found" ? data.car.text : ""}
      </p>
      {isUnknown && (
        <p>
          <button className="btn" name="intent" value="registerCar">
            Book alligevel
          </button>
        </p>
      )}
      <TextField {...part("mobilePhone")} label="Mobilnummer:" type="tel" autoComplete="tel" />
      <TextField {...part("confirmMobilePhone")} label="Bekræft mobilnr.:" type="tel" autoComplete="off" />
      <TextField
        {...part("bookingDateTime")}
        label="Booking dato:"
        type="date"
        className="short"
        min={today}
        defaultValue={typed.bookingDateTime ?? today}
      />
      <button className="btn btn-primary" name="intent" value="registerCar">
        BEKRÆFT PARKERING
      </button>
      <p className="hint">
        {canSend ? RECEIPT_HINT : "Der sendes ingen SMS som kvittering for tiden."} Nummerplade og mobilnummer slettes
        dagen efter.
      </p>
    </form>
  );
}
