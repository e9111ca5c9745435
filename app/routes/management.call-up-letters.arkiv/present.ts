import type { SerializeFrom } from "@remix-run/node";
import { showDateTime, showDay } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
export type ArchivedBatch = ReturnType<typeof presentBatch>;

export const presentArchive = ({ from, to, typed, errors, batches }: Values) => ({
  from: typed.from || showDay(from),
  to: typed.to || showDay(to),
  errors,
  batches: batches.map(presentBatch),
});

const presentBatch = ({ id, date, letterCount, pageCount, printedAt, isWithdrawn }: Values["batches"][number]) => ({
  id,
  date: showDateTime(date),
  letters: `${letterCount === 1 ? "1 brev" : `${letterCount} breve`}, ${pageCount} ${pageCount === 1 ? "side" : "sider"}`,
  isLive: printedAt === null && !isWithdrawn,
  state: isWithdrawn ? "Ikke udskrevet, lagt tilbage" : printedAt && `Udskrevet ${showDateTime(printedAt)}`,
});
