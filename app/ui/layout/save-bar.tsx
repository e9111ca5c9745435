import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names";

/**
 * The buttons of a long form, in line with its fields. From 800 px of height the bar is at the window's foot while
 * something is changed, so that changes further up can be saved from there.
 */
export function SaveBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    const form = bar.current?.closest("form");
    const changed = () => setChanged(true);
    const sent = () => setChanged(false);
    form?.addEventListener("input", changed);
    form?.addEventListener("submit", sent);
    return () => {
      form?.removeEventListener("input", changed);
      form?.removeEventListener("submit", sent);
    };
  }, []);
  return (
    <div
      ref={bar}
      className={classNames(
        "bottom-0 -mx-4 -mb-4 px-4 py-4 bg-surface border-t border-line rounded-b-panel table:[&>.row]:pl-[272px]",
        isChanged &&
          "[@media(min-height:800px)]:stuck z-20 [@media(min-height:800px)]:[box-shadow:0_-6px_20px_var(--shade)]",
      )}
      data-bar
    >
      <div className="row">{children}</div>
    </div>
  );
}
