import type { SerializeFrom } from "@remix-run/node";
import { jobNames } from "~/features/job-register/job-names";
import { retention } from "~/features/maintenance/retention";
import { showDateTime } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
export type ShownJob = ReturnType<typeof presentJob> | ReturnType<typeof pausedJob>;

const MINUTE = 60;
const YEAR = 365;

/** Jobs and retention periods as text. @param copyMadeAt moment of the copy, while no job runs; otherwise null */
export const presentJobs = ({ jobs }: Values, copyMadeAt: string | null) => ({
  copyMadeAt: copyMadeAt === null ? null : showDateTime(copyMadeAt),
  jobs: jobs.map((job) => (copyMadeAt === null ? presentJob(job) : pausedJob(presentJob(job)))),
  retention: Object.values(retention).map(({ label, days }) => ({ label, howLong: howLong(days) })),
});

const presentJob = ({ name, everySeconds, isRunning, finishedAt, hasFailed, nextAt }: Values["jobs"][number]) => ({
  name,
  label: jobNames[name].label,
  often: howOften(everySeconds),
  /** Jobs that wait for work cannot be run on demand. */
  canRunNow: everySeconds >= MINUTE,
  finishedAt: finishedAt === null ? null : { iso: finishedAt, text: showDateTime(finishedAt) },
  nextAt: nextAt === null || everySeconds < MINUTE ? null : { iso: nextAt, text: showDateTime(nextAt) },
  state: stateOf(isRunning, finishedAt, hasFailed),
});

/** In a copy no job runs. */
const pausedJob = (job: ReturnType<typeof presentJob>) => ({
  ...job,
  canRunNow: false,
  nextAt: null,
  state: { label: "Står stille", tone: "warn", icon: "hourglass" } as const,
});

function howOften(seconds: number): string {
  if (seconds < MINUTE) return "Når der er noget at gøre";
  if (seconds === MINUTE) return "Hvert minut";
  return seconds === 60 * MINUTE ? "Hver time" : `Hvert ${seconds / MINUTE}. minut`;
}

function stateOf(isRunning: boolean, finishedAt: string | null, hasFailed: boolean) {
  if (isRunning) return { label: "Kører", tone: "info", icon: "hourglass" } as const;
  if (finishedAt === null) return { label: "Ikke kørt endnu", tone: "closed", icon: "clock" } as const;
  return hasFailed
    ? ({ label: "Mislykkedes", tone: "err", icon: "failed" } as const)
    : ({ label: "Gik godt", tone: "ok", icon: "done" } as const);
}

function howLong(days: number): string {
  if (days % YEAR === 0) return `${days / YEAR} år`;
  return days === 1 ? "1 dag" : `${days} dage`;
}
