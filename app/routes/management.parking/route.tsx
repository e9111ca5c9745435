import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { bookParking } from "~/features/parking/book-parking.server";
import { listParking } from "~/features/parking/list-parking.server";
import { lookUpCar } from "~/features/parking/look-up-car.server";
import { CONFIRMED_MS } from "~/features/parking/plate";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { useFlashInPage } from "~/http/forms/use-flash-in-page";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { PageHead } from "~/ui/layout/page-frame";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { BookingForm } from "./booking-form";
import { type BookingRow, presentParking } from "./present";

export const meta = pageTitle("Parkering");

export const handle = { pageForm: () => "bookParking" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, listParking, {}, { forms: { bookParking } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

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
          <EmptyState why="Ingen har booket parkering fra i dag." />
        ) : (
          <PlainTable caption="Bookinger" columns={columns} rows={page.bookings} keyOf={({ id }) => id} wide />
        )}
        {page.cut && <p className="meta">{page.cut}</p>}
      </div>
    </>
  );
}
