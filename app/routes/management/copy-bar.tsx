import { showDateTime } from "~/text/dates";

/** Warns staff of a restored copy that sends and receives nothing until the operator resumes. */
export function CopyBar({ madeAt }: { madeAt: string | null }) {
  if (madeAt === null) return null;
  return (
    <p className="m-0 px-4 py-1.5 bg-err-bg text-err text-center font-semibold" role="status">
      Dette er en kopi fra {showDateTime(madeAt)}: intet sendes, og intet hentes.
    </p>
  );
}
