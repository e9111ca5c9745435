/** The sentence for a file that the browser can no longer read, after its name. */
export const CHANGED_FILE = "Filen er ændret, flyttet eller slettet, siden du valgte den. Vælg den igen.";

/** Whether a chosen file can still be read: browsers refuse one that has been written, moved or deleted on the disk since it was chosen. */
export const isReadable = (file: File): Promise<boolean> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(true));
    reader.addEventListener("error", () => resolve(false));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
