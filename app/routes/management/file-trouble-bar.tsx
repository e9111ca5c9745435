const texts = {
  away: "Filerne kan ikke nås lige nu: billeder og filer kan hverken hentes eller gemmes. Alt andet virker. Kontakt driften, hvis det varer ved.",
  full: "Der er ikke plads til flere filer: nye billeder og filer bliver afvist. Alt andet virker. Kontakt driften.",
  nearlyFull:
    "Der er snart ikke plads til flere filer: de største billeder bliver afvist allerede nu. Kontakt driften.",
};

export type FileTrouble = keyof typeof texts;

const tones = { away: "bg-err-bg text-err", full: "bg-err-bg text-err", nearlyFull: "bg-warn-bg text-ink" };

/** Warns staff while files cannot, or soon cannot, be stored or fetched. */
export function FileTroubleBar({ trouble }: { trouble: FileTrouble | null }) {
  if (trouble === null) return null;
  return (
    <p className={`m-0 px-4 py-1.5 text-center font-semibold ${tones[trouble]}`} role="status">
      {texts[trouble]}
    </p>
  );
}
