import { showDay } from "~/text/dates";

/** The answer that a time is no moved one. */
export const EXTRA = "ekstra";

/** The field of a form that says what a row of a file is. */
export const questionName = (rowId: number) => `svar${rowId}`;

/** An appointment of a plan, as a question names it. */
export interface PlannedTime {
  id: number;
  date: string;
  time: string | null;
}

export const showPlanned = ({ date, time }: Pick<PlannedTime, "date" | "time">) =>
  `${showDay(date)}${time === null ? "" : ` kl. ${time.replace(":", ".")}`}`;
