const shortcuts = [
  ["/", "Find patient"],
  ["J", "Næste henvisning"],
  ["K", "Forrige henvisning"],
  ["1–4", "Næste skridt: det første, andet, tredje eller fjerde, til en status er gemt"],
  ["S", "Status"],
  ["B", "Billeder"],
  ["M", "Skriv besked"],
  ["Z", "Fortryd, når en status er gemt"],
  ["Enter", "Går videre, når »Næste« er markeret"],
  ["?", "Viser denne liste"],
] as const;

export function ShortcutKeys() {
  return (
    <dl className="grid grid-cols-[56px_1fr] [grid-gap:4px_8px]">
      {shortcuts.flatMap(([key, what]) => [
        <dt key={key} className="font-semibold">
          {key}
        </dt>,
        <dd key={what}>{what}</dd>,
      ])}
    </dl>
  );
}
