import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { paths } from "~/paths";

const POLL_MS = 3000;

/** Follows a running import; true while the server does not answer. */
export function useImportPoll({ id, isImporting }: { id: number; isImporting: boolean }): boolean {
  const [isLost, setLost] = useState(false);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isImporting) return;
    const poll = () =>
      fetch(paths.importProgress(id), { headers: { Accept: "application/json" } })
        .then(({ ok }) => {
          setLost(!ok);
          if (ok) revalidate();
        })
        .catch(() => setLost(true));
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [id, isImporting, revalidate]);
  return isLost && isImporting;
}
