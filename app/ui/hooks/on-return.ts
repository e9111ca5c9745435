/** Calls `look` when a person comes back to the window or its page. Returns what ends that. */
export function onReturn(look: () => void): () => void {
  document.addEventListener("visibilitychange", look);
  window.addEventListener("focus", look);
  // Safari restores whole pages on 'Back' whatever their headers.
  window.addEventListener("pageshow", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("focus", look);
    window.removeEventListener("pageshow", look);
  };
}
