import { createElement, type ReactNode, useEffect, useState } from "react";
import type { RadiographUploadsProps } from "./radiograph-uploads";

/** The part that uploads by script: fetched after the page, and never stood for. Until then, or without it, `plain` is there. */
export function UploadPart({ plain, ...props }: RadiographUploadsProps & { plain: ReactNode }) {
  const [loaded, setLoaded] = useState<typeof import("./radiograph-uploads") | null>(null);
  useEffect(() => {
    let isHere = true;
    import("./radiograph-uploads").then(
      (module) => isHere && setLoaded(module),
      // A browser that cannot fetch it keeps the picker that needs none.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, []);
  return loaded ? createElement(loaded.RadiographUploads, props) : plain;
}
