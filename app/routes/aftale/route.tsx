import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import {
  acceptOfferedTime,
  cancelAppointment,
  confirmAppointment,
  declineOfferedTime,
} from "~/features/appointment-answers/answer-appointment.server";
import { readAppointment } from "~/features/appointment-answers/open-appointment.server";
import { runLinkCommand, runLinkPage } from "~/http/runners/patient-link.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken } from "~/text/link-token";
import { Notice } from "~/ui/feedback/notice";
import { PublicPage } from "~/ui/public/public-page";
import { AppointmentAnswer } from "./appointment-answer";
import { CancelQuestion } from "./cancel-question";
import { OfferedTime } from "./offered-time";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Din tid");

export const loader = (args: LoaderFunctionArgs) => runLinkPage(args, "appointmentAnswer", readAppointment);

export const action = (args: ActionFunctionArgs) =>
  runLinkCommand(args, "appointmentAnswer", {
    confirmAppointment,
    cancelAppointment,
    acceptOfferedTime,
    declineOfferedTime,
  });

/** A patient confirms, cancels or accepts a time. Opening changes nothing, because mail and SMS scanners open links. */
export default function Appointment() {
  const found = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  const [query] = useSearchParams();
  const answer = useActionData<typeof action>();
  if (!settings) return null;
  const token = linkToken(query);
  if ("isExpired" in found)
    return (
      <PublicPage clinic={settings.clinicName}>
        <h1>{token ? "Linket virker ikke længere" : "Linket mangler"}</h1>
        <p role="alert">
          {token ? "Tiden er ændret, aflyst eller overstået." : "Åbn siden med linket i den besked, du har fået."} Ring
          til os på{" "}
          <a href={`tel:${settings.supportPhone}`} translate="no">
            {settings.supportPhone}
          </a>
          , hvis du er i tvivl om din tid.
        </p>
      </PublicPage>
    );
  const refused = answer?.submission;
  const Body = found.offer
    ? OfferedTime
    : query.has("afbud") && found.answer !== "cancelled"
      ? CancelQuestion
      : AppointmentAnswer;
  return (
    <PublicPage clinic={found.clinic.name}>
      {refused?.error?.[""] && (
        <Notice kind="error" live>
          {refused.error[""].join(" ")}
        </Notice>
      )}
      <Body
        time={found}
        token={token}
        word={{ typed: String(refused?.initialValue?.word ?? ""), error: refused?.error?.word ?? undefined }}
      />
    </PublicPage>
  );
}
