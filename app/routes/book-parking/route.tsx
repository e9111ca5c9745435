import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { lookUpOwnCar, readParkingPage, registerCar } from "~/features/parking/operations.server";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { PublicPage } from "~/ui/public/public-page";
import { CarForm } from "./car-form";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Registrer din bil");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readParkingPage);

/** The page's script also looks up the car here. */
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
