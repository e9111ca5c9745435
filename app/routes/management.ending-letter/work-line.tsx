import { paths } from "~/paths";
import type { presentDischargeLetters } from "./present";

export function WorkLine({ work }: { work: ReturnType<typeof presentDischargeLetters>["work"] }) {
  return (
    <>
      {work.map(({ key, count, label, f }) => (
        <span key={key} className={key === "onlyFailed" ? "text-urgent" : undefined}>
          <b>{count}</b> <a href={`${paths.dischargeLetters}?f=${encodeURIComponent(f)}`}>{label}</a>
        </span>
      ))}
    </>
  );
}
