import { useEffect, useRef } from "react";
import { ShortcutKeys } from "~/components/shortcuts/shortcut-keys";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";

export function ShortcutList({ onClose }: { onClose(): void }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, as it does every dialog
    <div
      ref={panel}
      role="dialog"
      aria-label="Genvejstaster"
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
      className="fixed z-[60] right-4 bottom-4 w-[320px] max-w-[calc(100%-32px)] p-4 bg-surface border border-line2 rounded-panel shadow-float print:hidden"
    >
      <h2 className="mb-2">Genvejstaster</h2>
      <ShortcutKeys />
      <div className="row mt-3">
        <Button type="button" size="small" onClick={onClose}>
          Luk
        </Button>
        <a href={paths.profile}>Slå dem fra</a>
      </div>
    </div>
  );
}
