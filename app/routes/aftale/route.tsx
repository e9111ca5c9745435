import type { ReactNode } from "react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { DefaultIntent } from "~/ui/forms/button";
import { type OwnTime, readAppointment } from "~/features/appointment-answers/open-appointment.server";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { dayInWords, nextStepText } from "~/features/referrals/model/patient-words";
import {
  acceptOfferedTime,
  cancelAppointment,
  confirmAppointment,
  declineOfferedTime,
} from "~/features/appointment-answers/answer-appointment.server";
import { runLinkCommand, runLinkPage } from "~/http/runners/patient-link.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken, patientPaths } from "~/text/link-token";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";
import { TextArea } from "~/ui/forms/fields";
import { PhoneLink } from "~/ui/layout/phone-link";
import { PublicPage } from "~/ui/public/public-page";
import { atTime, showDateTime, showDay } from "~/text/dates";

interface AnswerButtonProps {
  intent: string;
  token: string;
  variant?: "primary" | "failure" | "quiet";
  fields?: ReactNode;
  children: ReactNode;
}

const variantClasses = {
  primary: "btn btn-primary",
  failure: "btn btn-failure",
  quiet: "btn btn-quiet",
  outline: "btn",
};

const AnswerButton = ({ intent, token, variant, fields, children }: AnswerButtonProps) => (
  <form method="post">
    <DefaultIntent value={intent} />
    <input type="hidden" name="token" value={token} />
    {fields}
    <button className={variantClasses[variant ?? "outline"]} name="intent" value={intent}>
      {children}
    </button>
  </form>
);

interface PartProps {
  time: OwnTime;
  token: string;
  word?: { typed: string; error: string[] | undefined };
}

function TimeAndPlace({ time: { moment, durationMinutes, clinic, answer } }: Pick<PartProps, "time">) {
  return (
    <ul className="facts">
      <li>
        <InlineIcon name="calendar" size={24} />
        <div>
          {answer === "cancelled" ? (
            <p>
              Aflyst: <s>{`${dayAsHead(moment)} ${hourInWords(moment, null)}`}</s>
            </p>
          ) : (
            <>
              <b>{dayAsHead(moment)}</b>
              <p>{hourInWords(moment, durationMinutes)}</p>
            </>
          )}
        </div>
      </li>
      <li>
        <InlineIcon name="place" size={24} />
        <div>
          <b>{clinic.name}</b>
          {clinic.address && (
            <p>
              {clinic.address}
              {clinic.place && `, ${clinic.place}`}
              <br />
              <a href={mapOf(clinic.address, clinic.place)} rel="noreferrer">
                Vis på kort
              </a>
            </p>
          )}
        </div>
      </li>
    </ul>
  );
}

const OtherWays = ({ time: { clinic, moment } }: Pick<PartProps, "time">) => (
  <>
    <hr />
    <p className="meta">
      Du kan også ringe: <PhoneLink phone={clinic.phone} />. Linket virker til {lastDay(moment)}.
    </p>
  </>
);

const NextStep = ({ time: { step } }: Pick<PartProps, "time">) => {
  const text = nextStepText(step);
  return text && <p className="lead">{text}</p>;
};

function AppointmentAnswer({ time, token }: PartProps) {
  const { firstName, answer, hasBegun, canComeAfterAll, clinic } = time;
  const tk = encodeURIComponent(token);
  return (
    <>
      <h1>Din tid{firstName && `, ${firstName}`}</h1>
      {answer === "confirmed" && (
        <Notice kind="success" live>
          Tak. Vi har noteret, at du kommer.
        </Notice>
      )}
      {answer === "cancelled" && (
        <Notice kind="success" live>
          Tak for beskeden. Tiden er aflyst, og vi kontakter dig om en ny. Har du lagt tiden i din kalender, så slet den
          dér.
        </Notice>
      )}
      {answer === null && (
        <p className="lead">Sig til, om du kommer. Så ved vi det, og du får ikke flere påmindelser.</p>
      )}
      {answer === "cancelled" && <NextStep time={time} />}
      <TimeAndPlace time={time} />
      <div className="answers">
        {answer === null && (
          <>
            <AnswerButton intent="confirmAppointment" token={token} variant="primary">
              <InlineIcon name="check" size={24} />
              Jeg kommer
            </AnswerButton>
            <a className="btn" href={patientPaths.appointmentCancel(tk)}>
              Meld afbud
            </a>
          </>
        )}
        {answer === "confirmed" && (
          <a className="btn btn-quiet" href={patientPaths.appointmentCancel(tk)}>
            Meld afbud
          </a>
        )}
        {answer === "cancelled" && canComeAfterAll && !hasBegun && (
          <AnswerButton intent="confirmAppointment" token={token} variant="quiet">
            Jeg kommer alligevel
          </AnswerButton>
        )}
        {answer === "cancelled" && !canComeAfterAll && (
          <p>
            Tiden er givet videre. Ring til os på <PhoneLink phone={clinic.phone} />, hvis du alligevel kunne komme.
          </p>
        )}
        {answer !== "cancelled" && (
          <a className="btn btn-quiet" href={patientPaths.appointmentCalendar(tk)}>
            <InlineIcon name="calendar-add" size={24} />
            Tilføj til kalender
          </a>
        )}
      </div>
      <OtherWays time={time} />
    </>
  );
}

function CancelQuestion({ time, token, word }: PartProps) {
  const { moment, clinic } = time;
  return (
    <>
      <h1>Vil du melde afbud?</h1>
      <p>
        Din tid {dayInWords(moment)} {hourInWords(moment, null)} bliver aflyst, så en anden kan få den. Vi kontakter dig
        om en ny.
      </p>
      <div className="answers">
        <AnswerButton
          intent="cancelAppointment"
          token={token}
          variant="failure"
          fields={
            <TextArea
              name="word"
              label="Besked til klinikken"
              optional
              hint={
                <>
                  Vi læser den ikke med det samme. Er du blevet dårligere, så ring til os på{" "}
                  <PhoneLink phone={clinic.phone} />.
                </>
              }
              maxLength={500}
              defaultValue={word?.typed ?? ""}
              error={word?.error}
            />
          }
        >
          Ja, meld afbud
        </AnswerButton>
        <a className="btn" href={patientPaths.appointmentAnswer(encodeURIComponent(token))}>
          Nej, behold tiden
        </a>
      </div>
      <OtherWays time={time} />
    </>
  );
}

function OfferedTime({ time, token }: PartProps) {
  const { offer, firstName } = time;
  if (offer?.outcome !== "open")
    return (
      <>
        <h1>{offer?.outcome === "declined" ? "Tak for svaret" : "Tiden er desværre ikke ledig længere"}</h1>
        <Notice kind="info" live>
          {offer?.outcome === "declined"
            ? "Vi har noteret, at du ikke vil have tiden. Du beholder din plads i køen."
            : "En anden har fået den, eller fristen er udløbet. Du beholder din plads i køen, og vi kontakter dig."}
        </Notice>
        <NextStep time={time} />
        <OtherWays time={time} />
      </>
    );
  return (
    <>
      <h1>Vil du have tiden{firstName && `, ${firstName}`}?</h1>
      <p className="lead">Der er blevet en tid ledig. Svar senest {deadline(offer.expiresAt)}.</p>
      <TimeAndPlace time={time} />
      <div className="answers">
        <AnswerButton intent="acceptOfferedTime" token={token} variant="primary">
          <InlineIcon name="check" size={24} />
          Ja tak, jeg tager tiden
        </AnswerButton>
        <AnswerButton intent="declineOfferedTime" token={token}>
          Nej tak
        </AnswerButton>
      </div>
      <OtherWays time={time} />
    </>
  );
}

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
          til os på <PhoneLink phone={found.clinicPhone} />, hvis du er i tvivl om din tid.
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
      <ErrorNotice texts={refused?.error?.[""]} />
      <Body
        time={found}
        token={token}
        word={{ typed: String(refused?.initialValue?.word ?? ""), error: refused?.error?.word ?? undefined }}
      />
    </PublicPage>
  );
}

function dayAsHead(moment: string): string {
  const words = dayInWords(moment);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function hourInWords(moment: string, durationMinutes: number | null): string {
  const hour = atTime(moment.slice(11));
  return durationMinutes === null ? hour : `${hour}, regn med ${durationMinutes} minutter`;
}

const lastDay = (moment: string) => showDay(moment.slice(0, 10));

const deadline = (expiresAt: string) => showDateTime(expiresAt);

const mapOf = (address: string, place: string) =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(`${address}, ${place}`)}`;
