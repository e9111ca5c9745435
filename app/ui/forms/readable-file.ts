/** Text for an unreadable file, after its name. */
export const CHANGED_FILE = "Filen er ændret, flyttet eller slettet, siden du valgte den. Vælg den igen.";

/** Whether a chosen file can be read: browsers refuse files changed since. */
export const isReadable = (file: File): Promise<boolean> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(true));
    reader.addEventListener("error", () => resolve(false));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
