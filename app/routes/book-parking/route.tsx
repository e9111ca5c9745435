import { type CarInfo, lookUpOwnCar, readParkingPage, registerCar } from "~/features/parking/operations.server";
import { confirmedText, NO_RECEIPT, RECEIPT_HINT, UNKNOWN_PLATE_PUBLIC } from "~/features/parking/plate";
import type { ActionResult } from "~/http/forms/action-result";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { DefaultIntent } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { PublicPage } from "~/ui/public/public-page";

interface CarFormProps {
  today: string;
  refusal: string | null;
  canSend: boolean;
  answer: ActionResult | undefined;
}

const fields = ["licensePlate", "mobilePhone", "confirmMobilePhone", "bookingDateTime"] as const;
type Field = (typeof fields)[number];

interface Answered {
  booked?: string;
  plate?: string;
  car: CarInfo | null;
  takesReceipt?: boolean;
}

/** The form. Everything its script does also works without it (public/book-parking.js). */
function CarForm({ today, refusal, canSend, answer }: CarFormProps) {
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

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Registrer din bil");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readParkingPage);

export const action = (args: ActionFunctionArgs) => runCommand(args, { registerCar, lookUpOwnCar });

export default function BookParking() {
  const { today, refusal, canSend } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const settings = usePublicSettings();
  if (!settings) return null;
  return (
    <PublicPage
      clinic={settings.clinicName}
      mark={
        <svg className="pp-mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M11 24V8h6a5 5 0 0 1 0 10h-6" fill="none" stroke="currentColor" strokeWidth="4" />
        </svg>
      }
    >
      <CarForm today={today} refusal={refusal} canSend={canSend} answer={answer} />
      <script src="/book-parking.js" defer />
    </PublicPage>
  );
}
