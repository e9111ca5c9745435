import { createContext } from "react";

/* Parts for file inputs on pages that do not load `FileField`, which is larger. */

export const filePicker =
  "block max-w-full text-[16px] file:[font-family:inherit] file:min-h-10 file:mr-3 file:px-4 file:py-1 file:border file:border-solid file:border-control file:rounded " +
  "file:bg-surface file:text-primary-ink file:font-semibold file:cursor-pointer";

/** Number of saves of the form, which resets its file fields. */
export const FormRound = createContext(0);

export const CHANGED_FILE = "Filen er ændret, flyttet eller slettet, siden du valgte den. Vælg den igen.";

export const isReadable = (file: File): Promise<boolean> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(true));
    reader.addEventListener("error", () => resolve(false));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
