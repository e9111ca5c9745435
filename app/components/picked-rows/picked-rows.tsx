import { useEffect, useState } from "react";
import { RowCheckbox } from "~/ui/forms/choices";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { NOT_RESTORED } from "~/ui/forms/field";

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="pick"][form="mass"]')];

export function usePicked() {
  const [picked, setPicked] = useState(0);
  useEffect(() => {
    const count = () => {
      for (const box of boxes()) box.closest("tr")?.classList.toggle("row-picked", box.checked);
      setPicked(boxes().filter((box) => box.checked).length);
    };
    document.addEventListener("change", count);
    return () => document.removeEventListener("change", count);
  }, []);
  useEffect(() => {
    document.dispatchEvent(new Event("change"));
  });
  const pickAll = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked;
    document.dispatchEvent(new Event("change"));
  };
  return { picked, pickAll };
}

export const isAllPicked = (picked: number) => picked > 0 && picked === boxes().length;

export function PickBox({ id, statusVersion }: { id: number; statusVersion: number }) {
  return (
    <label className="hit">
      <input
        key={statusVersion}
        {...NOT_RESTORED}
        type="checkbox"
        className="box"
        form="mass"
        name="pick"
        value={`${id}:${statusVersion}`}
        aria-label={`Vælg nr. ${id}`}
      />
    </label>
  );
}

export function PickPage() {
  const { picked, pickAll } = usePicked();
  if (!useHydrated()) return <span className="sr-only">Vælg</span>;
  const isAll = isAllPicked(picked);
  return <RowCheckbox label="Vælg alle på siden" checked={isAll} onChange={() => pickAll(!isAll)} />;
}
