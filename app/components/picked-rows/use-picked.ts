import { useEffect, useState } from "react";

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="pick"]')];

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
