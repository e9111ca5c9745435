export const NO_TEXT = "Ingen tekst";

export const RADIOGRAPHS = 0;
export const OTHER_FILES = 1;
export const attachmentTypes = [
  { value: RADIOGRAPHS, label: "Røntgen" },
  { value: OTHER_FILES, label: "Andre filer" },
] as const;

export function messageText(typed: string, radiographNames: readonly string[]): string {
  const words = typed === "" ? NO_TEXT : typed;
  return radiographNames.length === 0 ? words : `${words}\n\nUploadede røntgenbilleder: ${radiographNames.join(", ")}`;
}
