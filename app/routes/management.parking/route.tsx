import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData, useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import { PageHead } from "~/components/page-frame/page-frame";
import { bookParking, type CarInfo, listParking, lookUpCar } from "~/features/parking/operations.server";
import { CONFIRMED_MS, UNKNOWN_PLATE, MIN_PLATE, normalPlate } from "~/features/parking/plate";
import { ActionForm, useButtonState, useServerForm } from "~/http/forms/action-form";
import type { PageFormHandle } from "~/http/forms/page-form";
import { useFlashInPage } from "~/http/forms/use-flash-in-page";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showShortDateTime, showDay } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { InlineIcon } from "~/ui/icons/inline-icon";
import type { ActionResult } from "~/http/forms/action-result";

const labels = { licensePlate: "Nummerplade", mobilePhone: "Mobiltelefon", bookingDateTime: "Booking Dato" };

interface BookingFormProps {
  today: string;
  firstDay: string;
}

/** 'Book': shows the car while the plate is typed; without JavaScript a button looks it up. */
function BookingForm({ today, firstDay }: BookingFormProps) {
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
      enter={hydrated ? "nothing" : "first button"}
      place="bookParking"
      preventScrollReset
      of={form}
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
            <Button value="lookUpCar" size="small" icon="search" className="scripts:hidden">
              Slå nummerplade op
            </Button>
          )}
        </div>
        <TextField field={fields.mobilePhone} label={labels.mobilePhone} type="tel" autoComplete="off" required />
        <DateField field={fields.bookingDateTime} label={labels.bookingDateTime} min={firstDay} required />
        <div className="desk:pt-6">
          <Button
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

type Values = SerializeFrom<typeof loader>;
type BookingRow = ReturnType<typeof presentBooking>;

const MISSING = "--";
const MISSING_DATE = "--.--";

const presentParking = ({ today, bookings, isCut, receipts, register, canSend, publicOrigin }: Values) => ({
  today: showDay(today),
  firstDay: today,
  publicPage: `${publicOrigin}${paths.bookParking}`,
  register: register.isReal ? null : "Køretøjsregistret er ikke sat op: kun prøvebiler kan slås op. Booking virker.",
  noReceipts: canSend ? null : "SMS: Ikke indstillet. Der sendes ingen kvitteringer for parkering.",
  limit:
    receipts.withheld === 0
      ? null
      : `Der er i dag sendt ${receipts.limit} kvitteringer for parkering, som er det højeste på én dag. ${receipts.withheld} er ikke sendt.`,
  cut: isCut ? `Her står de første ${bookings.length} bookinger.` : null,
  bookings: bookings.map(presentBooking),
});

function presentBooking({
  id,
  reference,
  plate,
  phone,
  referralId,
  cpr,
  operationDate,
  start,
  end,
}: Values["bookings"][number]) {
  return {
    id,
    cpr: cpr ?? MISSING,
    referral: referralId === null ? null : paths.referral(referralId),
    plate: plate || MISSING,
    phone: phone || MISSING,
    reference,
    operationDate: { text: operationDate === null ? MISSING_DATE : showDay(operationDate), iso: operationDate },
    start: { text: showShortDateTime(start), iso: start },
    end: { text: showShortDateTime(end), iso: end },
  };
}

export const meta = pageTitle("Parkering");

export const handle = { pageForm: () => "bookParking" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, listParking, {}, { forms: { bookParking } });

export const action = (args: ActionFunctionArgs) => runCommand(args, { bookParking, lookUpCar });

const day = ({ text, iso }: { text: string; iso: string | null }) =>
  iso === null ? text : <time dateTime={iso}>{text}</time>;

const columns: readonly PlainColumn<BookingRow>[] = [
  {
    label: "CPR-nummer",
    isVerbatim: true,
    cell: ({ cpr, referral }) => (referral === null ? cpr : <a href={referral}>{cpr}</a>),
  },
  { label: "Nummerplade", isVerbatim: true, cell: ({ plate }) => plate },
  { label: "Mobiltelefon", isVerbatim: true, cell: ({ phone }) => phone },
  { label: "Referencenummer", isVerbatim: true, cell: ({ reference }) => reference },
  { label: "Operationsdato", cell: ({ operationDate }) => day(operationDate) },
  { label: "Start", cell: ({ start }) => day(start) },
  { label: "Ende", cell: ({ end }) => day(end) },
];

export default function Parking() {
  const page = presentParking(useLoaderData<typeof loader>());
  const booked = useFlashInPage("bookParking", CONFIRMED_MS);
  return (
    <>
      <PageHead
        title="BOOK PARKERING"
        tools={
          <a href={page.publicPage} target="_blank" rel="noopener" className={buttonClass({ size: "small" })}>
            Eksternt link
            <Icon name="external" size={18} className="ml-2" />
            <span className="sr-only"> (åbner i et nyt vindue)</span>
          </a>
        }
      />
      <div className="stack">
        {page.noReceipts && <Notice kind="warn">{page.noReceipts}</Notice>}
        {page.limit && <Notice kind="warn">{page.limit}</Notice>}
        {page.register && <Notice kind="info">{page.register}</Notice>}
        <div role="status">{booked.text && <Notice kind="success">{booked.text}</Notice>}</div>
        <BookingForm key={booked.count} today={page.today} firstDay={page.firstDay} />
        {page.bookings.length === 0 ? (
          <EmptyState icon="car" why="Her kommer de biler, der er booket parkering til fra i dag." />
        ) : (
          <PlainTable caption="Bookinger" columns={columns} rows={page.bookings} keyOf={({ id }) => id} wide />
        )}
        {page.cut && <p className="meta">{page.cut}</p>}
      </div>
    </>
  );
}

function CarLine({ car }: { car: CarInfo | null }) {
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

const REST_MS = 400;

interface Answered {
  plate: string;
  car: CarInfo;
}

/**
 * The car of the typed plate from four characters on; null while unknown. `before` is the answer to a form without
 * JavaScript.
 */
function useCar(typed: string, before: Answered | undefined): CarInfo | null {
  const { data, submit } = useFetcher<ActionResult>({ key: "car" });
  const plate = normalPlate(typed);
  const [requestedPlate, setRequestedPlate] = useState(before?.plate ?? "");
  useEffect(() => {
    if (plate.length < MIN_PLATE || plate === requestedPlate) return;
    const timer = setTimeout(() => {
      setRequestedPlate(plate);
      submit({ intent: "lookUpCar", licensePlate: plate }, { method: "post" });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [plate, requestedPlate, submit]);
  const answer = (data?.data as Answered | undefined) ?? before;
  return answer?.plate === plate ? answer.car : null;
}
