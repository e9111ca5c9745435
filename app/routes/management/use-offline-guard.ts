import { type FormEvent, useEffect, useState } from "react";

/**
 * Stops forms that are sent without a connection. One that the browser itself sends leads offline to the browser's own page: everything typed
 * here would be gone. `isOffline` says that the last one was stopped.
 */
export function useOfflineGuard() {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const stay = (event: Event) => {
      if (event.defaultPrevented) return;
      if (!navigator.onLine) event.preventDefault();
      setOffline(!navigator.onLine);
    };
    window.addEventListener("submit", stay);
    return () => window.removeEventListener("submit", stay);
  }, []);
  return {
    isOffline,
    /** For the shell's own forms: each needs the script of a page that may not be here yet, and offline Remix would leave for the browser's page too. */
    stayOffline(event: FormEvent) {
      if (!navigator.onLine) event.preventDefault();
      setOffline(!navigator.onLine);
    },
  };
}
