import { paths } from "~/paths";
import { showCount } from "~/text/numbers";

export function FailureCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="text-urgent">
      <b>{showCount(count)}</b> <a href={paths.failures}>{count === 1 ? "fejlet" : "fejlede"}</a>
    </span>
  );
}
