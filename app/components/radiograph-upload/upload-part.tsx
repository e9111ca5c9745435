import { createElement, type ReactNode, useEffect, useState } from "react";
import type { RadiographUploadsProps } from "./radiograph-uploads";

type Loaded = Pick<typeof import("./radiograph-uploads"), "RadiographUploads"> &
  Pick<RadiographUploadsProps, "takenOver" | "firstType">;

/** Once fetched, every later page begins with it. */
let fetched: Loaded["RadiographUploads"] | null = null;

/**
 * The part that uploads with JavaScript: loaded after the page. Until then, or without it, `plain` stands in its place; what is
 * chosen in it is uploaded too.
 */
export function UploadPart({
  plain,
  ...props
}: Omit<RadiographUploadsProps, "takenOver" | "firstType"> & { plain: ReactNode }) {
  const [loaded, setLoaded] = useState<Loaded | null>(
    fetched && { RadiographUploads: fetched, takenOver: null, firstType: props.line?.radiographType ?? 0 },
  );
  const { inputId } = props;
  useEffect(() => {
    let isHere = true;
    import("./radiograph-uploads").then(
      ({ RadiographUploads }) => {
        fetched = RadiographUploads;
        if (isHere) setLoaded((before) => before ?? { RadiographUploads, ...plainPicker(inputId) });
      },
      // A browser that cannot fetch it keeps the picker that needs none.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [inputId]);
  if (!loaded) return plain;
  const { RadiographUploads, ...taken } = loaded;
  return createElement(RadiographUploads, { ...props, ...taken });
}

function plainPicker(inputId: string): Omit<Loaded, "RadiographUploads"> {
  const input = document.getElementById(inputId);
  if (!(input instanceof HTMLInputElement)) return { takenOver: null, firstType: 0 };
  const type = input.form?.elements.namedItem("radiographType");
  return { takenOver: input, firstType: type instanceof HTMLSelectElement ? Number(type.value) : 0 };
}
