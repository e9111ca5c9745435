/** How a series looks: blue by quantity and age, red for what is urgent or failed alone. Hatched, or with a mark of its own, it differs in black and white, too. */
export interface Series {
  label: string;
  tone: "light" | "mid" | "dark" | "warn" | "red";
  isHatched?: boolean;
  /** Of a line: what stands at its last point. */
  mark?: keyof typeof marks;
}

/** Paths around their middle. */
export const marks = {
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  square: "M-4-4h8v8h-8z",
  diamond: "M0-5.5 5.5 0 0 5.5-5.5 0z",
} as const;

export const toneClass = ({ tone }: Series) => `plot-${tone}`;
