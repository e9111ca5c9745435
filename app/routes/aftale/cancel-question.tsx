import { paths } from "~/paths";
import { TextArea } from "~/ui/forms/text-field";
import { AnswerButton } from "./answer-button";
import { dayInWords, hourInWords } from "./present";
import { OtherWays, type PartProps } from "./time-and-place";

export function CancelQuestion({ time, token, word }: PartProps) {
  const { moment } = time;
  return (
    <>
      <h1>Vil du melde afbud?</h1>
      <p>
        Din tid {dayInWords(moment).toLowerCase()} {hourInWords(moment, null)} bliver aflyst, så en anden kan få den. Vi
        kontakter dig om en ny.
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
              maxLength={500}
              defaultValue={word?.typed ?? ""}
              error={word?.error}
            />
          }
        >
          Ja, meld afbud
        </AnswerButton>
        <a className="btn" href={paths.appointmentAnswer(encodeURIComponent(token))}>
          Nej, behold tiden
        </a>
      </div>
      <OtherWays time={time} />
    </>
  );
}
