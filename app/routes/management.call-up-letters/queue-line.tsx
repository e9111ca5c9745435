import { FailureCount } from "~/components/failures/failure-count";
import { paths } from "~/paths";
import type { presentCallUps } from "./present";

interface QueueLineProps {
  queues: ReturnType<typeof presentCallUps>["queues"];
  failures: number;
}

export function QueueLine({ queues, failures }: QueueLineProps) {
  return (
    <>
      {queues.map(({ kind, count, label, f }) => (
        <span key={kind} className={kind === "urgent" ? "text-urgent" : undefined}>
          <b>{count}</b> <a href={`${paths.callUps}?f=${encodeURIComponent(f)}`}>{label}</a>
        </span>
      ))}
      <FailureCount count={failures} />
    </>
  );
}
