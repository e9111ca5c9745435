export const shortcuts = [
  ["J", "Næste henvisning"],
  ["K", "Forrige henvisning"],
  ["1–4", "Næste skridt: det første, andet, tredje eller fjerde"],
  ["S", "Status"],
  ["B", "Billeder"],
  ["M", "Skriv besked"],
  ["Enter", "Går videre, når »Næste« er markeret"],
  ["?", "Viser denne liste"],
] as const;
