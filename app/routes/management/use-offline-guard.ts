import { type FormEvent, useEffect, useState } from "react";

/**
 * Stops forms sent while offline, since the browser's error page would lose all text. `isOffline`: the last one was
 * stopped.
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
    /** For the shell's forms, whose page may not be loaded; offline Remix would show the browser's error page. */
    stayOffline(event: FormEvent) {
      if (!navigator.onLine) event.preventDefault();
      setOffline(!navigator.onLine);
    },
  };
}
