import { Notice } from "~/ui/feedback/notice";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { AnswerButton } from "./answer-button";
import { deadline } from "./present";
import { OtherWays, type PartProps, TimeAndPlace } from "./time-and-place";

/** An offered time while available; otherwise says that it is gone. */
export function OfferedTime({ time, token }: PartProps) {
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
