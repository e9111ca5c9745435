import { paths } from "~/paths";
import type { presentSms } from "./present";

const filtered = (f: string) => `${paths.sms}?f=${encodeURIComponent(f)}`;

/** The answers that wait for a person, each a link to them. */
export function QueueLine({ queues }: { queues: NonNullable<ReturnType<typeof presentSms>["queues"]> }) {
  const { unplaced, possibly, unread } = queues;
  return (
    <>
      {possibly.count > 0 && (
        <span className="text-urgent">
          <a href={filtered(possibly.f)}>Muligvis afbud ({possibly.count})</a>
        </span>
      )}
      {unplaced > 0 && (
        <span>
          <a href={paths.smsUnplaced}>Ikke placerede svar ({unplaced})</a>
        </span>
      )}
      {unread.count > 0 && (
        <span>
          <a href={filtered(unread.f)}>Nye svar ({unread.count})</a>
        </span>
      )}
    </>
  );
}
