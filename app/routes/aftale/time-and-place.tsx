import type { OwnTime } from "~/features/appointment-answers/open-appointment.server";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { dayInWords, hourInWords, lastDay, mapOf } from "./present";

export interface PartProps {
  time: OwnTime;
  token: string;
  word?: { typed: string; error: string[] | undefined };
}

export function TimeAndPlace({ time: { moment, durationMinutes, clinic } }: Pick<PartProps, "time">) {
  return (
    <ul className="facts">
      <li>
        <InlineIcon name="calendar" size={24} />
        <div>
          <b>{dayInWords(moment)}</b>
          <p>{hourInWords(moment, durationMinutes)}</p>
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

export const OtherWays = ({ time: { clinic, moment } }: Pick<PartProps, "time">) => (
  <>
    <hr />
    <p className="meta">
      Du kan også ringe: <a href={`tel:${clinic.phone.replace(/ /g, "")}`}>{clinic.phone}</a>. Linket virker til{" "}
      {lastDay(moment)}.
    </p>
  </>
);
