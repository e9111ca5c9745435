/** How a series looks: blue by quantity and age, red for what is urgent or failed alone. Hatched, it differs in black and white, too. */
export interface Series {
  label: string;
  tone: "light" | "mid" | "dark" | "warn" | "red";
  isHatched?: boolean;
}

export const toneClass = ({ tone }: Series) => `plot-${tone}`;
