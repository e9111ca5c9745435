import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { AnswerButton } from "./answer-button";
import { OtherWays, type PartProps, TimeAndPlace } from "./time-and-place";

export function AppointmentAnswer({ time, token }: PartProps) {
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
      <TimeAndPlace time={time} />
      <div className="answers">
        {answer === null && (
          <>
            <AnswerButton intent="confirmAppointment" token={token} variant="primary">
              <InlineIcon name="check" size={24} />
              Jeg kommer
            </AnswerButton>
            <a className="btn" href={paths.appointmentCancel(tk)}>
              Meld afbud
            </a>
          </>
        )}
        {answer === "confirmed" && (
          <a className="btn btn-quiet" href={paths.appointmentCancel(tk)}>
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
            Tiden er givet videre. Ring til os på <a href={`tel:${clinic.phone.replace(/ /g, "")}`}>{clinic.phone}</a>,
            hvis du alligevel kunne komme.
          </p>
        )}
        {answer !== "cancelled" && (
          <a className="btn btn-quiet" href={paths.appointmentCalendar(tk)}>
            <InlineIcon name="calendar-add" size={24} />
            Tilføj til kalender
          </a>
        )}
      </div>
      <OtherWays time={time} />
    </>
  );
}
