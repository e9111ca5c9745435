import { showDay } from "~/text/dates";

/** Answer: the time is a further one, not a move. */
export const EXTRA = "ekstra";

/** Form field of the answer about a row. */
export const questionName = (rowId: number) => `svar${rowId}`;

export interface PlannedTime {
  id: number;
  date: string;
  time: string | null;
}

export const showPlanned = ({ date, time }: Pick<PlannedTime, "date" | "time">) =>
  `${showDay(date)}${time === null ? "" : ` kl. ${time.replace(":", ".")}`}`;
