import { paths } from "~/paths";
import type { presentSms } from "./present";

const filtered = (f: string) => `${paths.sms}?f=${encodeURIComponent(f)}`;

type Queues = NonNullable<ReturnType<typeof presentSms>["queues"]>;

const queueLabels = [
  { key: "cancelledToday", one: "afbud i dag", many: "afbud i dag", isUrgent: true },
  { key: "possibly", one: "muligvis afbud", many: "muligvis afbud", isUrgent: true },
  { key: "unplaced", one: "ikke placeret svar", many: "ikke placerede svar" },
  { key: "unread", one: "nyt svar", many: "nye svar" },
  { key: "confirmedTomorrow", one: "har bekræftet i morgen", many: "har bekræftet i morgen" },
  { key: "unansweredTomorrow", one: "uden svar til i morgen", many: "uden svar til i morgen" },
] as const satisfies { key: keyof Queues; one: string; many: string; isUrgent?: true }[];

/** Queues and tomorrow's answers as links. */
export function QueueLine({ queues }: { queues: Queues }) {
  return (
    <>
      {queueLabels.map(({ key, one, many, ...rest }) => {
        const queue = queues[key];
        const [count, to] = typeof queue === "number" ? [queue, paths.smsUnplaced] : [queue.count, filtered(queue.f)];
        return (
          count > 0 && (
            <span key={key} className={"isUrgent" in rest ? "text-urgent" : undefined}>
              <b>{count}</b> <a href={to}>{count === 1 ? one : many}</a>
            </span>
          )
        );
      })}
    </>
  );
}
