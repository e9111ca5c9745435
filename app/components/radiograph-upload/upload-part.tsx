import { createElement, type ReactNode, useEffect, useState } from "react";
import type { RadiographUploadsProps } from "./radiograph-uploads";

type Loaded = Pick<typeof import("./radiograph-uploads"), "RadiographUploads"> &
  Pick<RadiographUploadsProps, "chosenBefore">;

/** Once fetched, every later page begins with it. */
let fetched: Loaded["RadiographUploads"] | null = null;
const nothingChosen = (type: number): Loaded["chosenBefore"] => ({ files: [], type });

/**
 * The part that uploads with JavaScript: loaded after the page. Until then, or without it, `plain` stands in its place; what was
 * chosen in it is uploaded too.
 */
export function UploadPart({ plain, ...props }: Omit<RadiographUploadsProps, "chosenBefore"> & { plain: ReactNode }) {
  const [loaded, setLoaded] = useState<Loaded | null>(
    fetched && { RadiographUploads: fetched, chosenBefore: nothingChosen(props.line?.radiographType ?? 0) },
  );
  const { inputId } = props;
  useEffect(() => {
    let isHere = true;
    import("./radiograph-uploads").then(
      ({ RadiographUploads }) => {
        fetched = RadiographUploads;
        if (isHere) setLoaded((before) => before ?? { RadiographUploads, chosenBefore: chosenIn(inputId) });
      },
      // A browser that cannot fetch it keeps the picker that needs none.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [inputId]);
  return loaded ? createElement(loaded.RadiographUploads, { ...props, chosenBefore: loaded.chosenBefore }) : plain;
}

function chosenIn(inputId: string): RadiographUploadsProps["chosenBefore"] {
  const input = document.getElementById(inputId);
  if (!(input instanceof HTMLInputElement)) return nothingChosen(0);
  const type = input.form?.elements.namedItem("radiographType");
  return { files: Array.from(input.files ?? []), type: type instanceof HTMLSelectElement ? Number(type.value) : 0 };
}
