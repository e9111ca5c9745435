/**
 * Look of a series: blue by amount or age, red only for urgent or failed. Patterns and marks distinguish them without
 * colour.
 */
export interface Series {
  label: string;
  tone: "light" | "mid" | "dark" | "warn" | "red";
  isHatched?: boolean;
  mark?: keyof typeof marks;
}

export const marks = {
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  square: "M-4-4h8v8h-8z",
  diamond: "M0-5.5 5.5 0 0 5.5-5.5 0z",
} as const;

export const toneClass = ({ tone }: Series) => `plot-${tone}`;
