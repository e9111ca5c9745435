import { showDateTime } from "~/text/dates";

/** To staff of a portal that was restored from a copy: nothing leaves it, and nothing comes in, until whoever runs it says so. */
export function CopyBar({ madeAt }: { madeAt: string | null }) {
  if (madeAt === null) return null;
  return (
    <p className="m-0 px-4 py-1.5 bg-err-bg text-err text-center font-semibold" role="status">
      Dette er en kopi fra {showDateTime(madeAt)}: intet sendes, og intet hentes.
    </p>
  );
}
