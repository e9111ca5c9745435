import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import type { CarInfo } from "~/features/parking/look-up-car.server";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { CarLine } from "./car-line";
import { useCar } from "./use-car";

const labels = { licensePlate: "Nummerplade", mobilePhone: "Mobiltelefon", bookingDateTime: "Booking Dato" };

interface BookingFormProps {
  today: string;
  /** `YYYY-MM-DD`: first day of the calendar. */
  firstDay: string;
}

/** 'Book': shows the car while the plate is typed; without JavaScript a button looks it up. */
export function BookingForm({ today, firstDay }: BookingFormProps) {
  const { form, fields, summary, data } = useServerForm<typeof labels>("bookParking", {
    labels,
    defaultValue: { bookingDateTime: today },
    clearsErrors: true,
  });
  const hydrated = useHydrated();
  const car = useCar(fields.licensePlate.value ?? "", data as { plate: string; car: CarInfo } | undefined);
  const state = useButtonState("bookParking");
  const isIncomplete = !fields.mobilePhone.value?.trim() || !fields.bookingDateTime.value?.trim();
  return (
    <ActionForm
      operation="bookParking"
      place="bookParking"
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Parkeringen er ikke booket.")} />
      <div className="tablet:grid tablet:grid-cols-[1fr_1fr] desk:grid-cols-[1fr_1fr_1fr_auto] tablet:grid-gap-4 items-start [&>*+*]:mt-4 tablet:[&>*+*]:mt-0">
        <div>
          <TextField
            field={fields.licensePlate}
            label={labels.licensePlate}
            autoComplete="off"
            autoCapitalize="characters"
          />
          <CarLine car={car} />
          {!hydrated && (
            <Button name="intent" value="lookUpCar" size="small" icon="search" className="scripts:hidden">
              Slå nummerplade op
            </Button>
          )}
        </div>
        <TextField field={fields.mobilePhone} label={labels.mobilePhone} type="tel" autoComplete="off" required />
        <DateField field={fields.bookingDateTime} label={labels.bookingDateTime} min={firstDay} required />
        <div className="desk:pt-6">
          <Button
            name="intent"
            value="bookParking"
            variant="primary"
            state={state}
            disabled={hydrated && (isIncomplete || state === "working")}
          >
            Book
          </Button>
        </div>
      </div>
    </ActionForm>
  );
}
