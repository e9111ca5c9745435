import { lazy, Suspense, useCallback, useState } from "react";
import { useShortcuts } from "./use-shortcuts";

/** Loaded on demand. */
const ShortcutList = lazy(async () => ({ default: (await import("./shortcut-list")).ShortcutList }));

export function Shortcuts() {
  const [before, setBefore] = useState<Element | null>(null);
  useShortcuts(useCallback(() => setBefore(document.activeElement), []));
  if (!before) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList
        onClose={() => {
          setBefore(null);
          if (before instanceof HTMLElement) before.focus();
        }}
      />
    </Suspense>
  );
}
