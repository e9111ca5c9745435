/** Teeth as SVG in shades of grey. Lengths are in units of the picture. */
import type { Random } from "./seeded-random.server";

export type ToothKind = "incisor" | "canine" | "premolar" | "molar";

export interface ToothOptions {
  kind: ToothKind;
  /** Greatest width of the crown. */
  width: number;
  crown: number;
  root: number;
  x: number;
  y: number;
  turn: number;
  /** Upper teeth have their roots above the neck. */
  upper: boolean;
  filling?: "none" | "occlusal" | "proximal" | "crown";
  rootFilled?: boolean;
  /** Radius of a dark halo around a root tip. */
  lesion?: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const path = (...parts: (string | number)[]) =>
  parts.map((part) => (typeof part === "number" ? round(part) : part)).join(" ");

export function drawTooth(random: Random, tooth: ToothOptions): string {
  const { width: w, crown: h, root: r } = tooth;
  const neck = w * (tooth.kind === "incisor" ? 0.36 : tooth.kind === "molar" ? 0.44 : 0.4);
  const roots = rootShapes(random, tooth, neck);
  const outline = crownOutline(tooth.kind, w, h, neck);
  const line = Math.max(1.2, w * 0.035);

  // The blur of the whole picture softens small teeth; a filter per part would take seconds.
  const melt = w > 120 ? ` filter="url(#melt)"` : "";

  const parts = [
    // The socket: a bright line of dense bone around the dark periodontal ligament.
    ...roots.map(
      ({ d }) =>
        `<path d="${d}" fill="none" stroke="#d8d8d8" stroke-opacity=".3" stroke-width="${round(line * 4)}"${melt}/>`,
    ),
    ...roots.map(
      ({ d }) =>
        `<path d="${d}" fill="#4a4a4a" stroke="#333" stroke-opacity=".62" stroke-width="${round(line * 1.5)}"${melt}/>`,
    ),
    ...roots.map(({ d }) => `<path d="${d}" fill="url(#dentine)" fill-opacity=".94"${melt}/>`),
    ...roots.map(
      ({ canal }) =>
        `<path d="${canal}" fill="none" stroke="#666" stroke-opacity=".66" stroke-width="${round(w * 0.045)}" stroke-linecap="round"${melt}/>`,
    ),
    `<path d="${outline}" fill="#e9e9e9" fill-opacity=".93"/>`,
    `<path d="${crownOutline(tooth.kind, w * 0.74, h * 0.76, neck * 0.96)}" fill="#b0b0b0" fill-opacity=".84"${melt}/>`,
    `<path d="${pulpChamber(tooth.kind, w, h, neck)}" fill="#707070" fill-opacity=".8"${melt}/>`,
    ...fillings(random, tooth),
  ];
  if (tooth.rootFilled) {
    parts.push(
      ...roots.map(
        ({ canal }) =>
          `<path d="${canal}" fill="none" stroke="#fafafa" stroke-width="${round(w * 0.06)}" stroke-linecap="round"/>`,
      ),
    );
  }
  const lesion = tooth.lesion;
  const halo =
    lesion === undefined
      ? ""
      : `<ellipse cx="${round(roots[0]?.tip ?? 0)}" cy="${round(-r * 1.0)}" rx="${round(lesion)}" ry="${round(lesion * 0.86)}" fill="#151515" fill-opacity=".7" filter="url(#soft)"/>`;
  const flip = tooth.upper ? "" : " scale(1 -1)";
  return `<g transform="translate(${round(tooth.x)} ${round(tooth.y)}) rotate(${round(tooth.turn)})${flip}">${halo}${parts.join("")}</g>`;
}

/** Below the neck (y grows towards the bite), symmetrical except for the cusps. */
function crownOutline(kind: ToothKind, w: number, h: number, neck: number): string {
  const half = w / 2;
  const sides = (bite: string) =>
    path(
      "M",
      -neck,
      -h * 0.04,
      "C",
      -half * 1.02,
      h * 0.24,
      -half * 1.06,
      h * 0.55,
      -half * 0.93,
      h * 0.84,
      bite,
      "C",
      half * 1.06,
      h * 0.55,
      half * 1.02,
      h * 0.24,
      neck,
      -h * 0.04,
      "Q",
      0,
      h * 0.09,
      -neck,
      -h * 0.04,
      "Z",
    );
  switch (kind) {
    case "incisor":
      return sides(
        path(
          "Q",
          -half * 0.86,
          h,
          -half * 0.6,
          h,
          "L",
          half * 0.66,
          h * 0.985,
          "Q",
          half * 0.9,
          h * 0.98,
          half * 0.93,
          h * 0.84,
        ),
      );
    case "canine":
      return sides(path("Q", -half * 0.5, h * 0.96, 0, h * 1.07, "Q", half * 0.5, h * 0.96, half * 0.93, h * 0.84));
    case "premolar":
      return sides(
        path(
          "Q",
          -half * 0.62,
          h * 1.06,
          -half * 0.2,
          h * 0.93,
          "Q",
          half * 0.1,
          h * 0.86,
          half * 0.34,
          h * 0.97,
          "Q",
          half * 0.78,
          h * 1.02,
          half * 0.93,
          h * 0.84,
        ),
      );
    case "molar":
      return sides(
        path(
          "Q",
          -half * 0.76,
          h * 1.08,
          -half * 0.42,
          h * 0.95,
          "Q",
          -half * 0.12,
          h * 0.84,
          half * 0.06,
          h * 0.93,
          "Q",
          half * 0.3,
          h * 1.02,
          half * 0.46,
          h * 0.93,
          "Q",
          half * 0.84,
          h * 1.05,
          half * 0.93,
          h * 0.84,
        ),
      );
  }
}

interface RootShape {
  d: string;
  canal: string;
  tip: number;
}

function rootShapes(random: Random, { kind, root, width, crown }: ToothOptions, neck: number): RootShape[] {
  const single = (bend: number): RootShape => ({
    d: path(
      "M",
      -neck,
      0,
      "C",
      -neck * 0.92,
      -root * 0.45,
      -neck * 0.42 + bend,
      -root * 0.86,
      bend,
      -root,
      "C",
      neck * 0.5 + bend,
      -root * 0.84,
      neck * 0.94,
      -root * 0.42,
      neck,
      0,
      "Z",
    ),
    canal: path("M", 0, crown * 0.12, "Q", 0, -root * 0.5, bend * 0.9, -root * 0.9),
    tip: bend,
  });
  if (kind !== "molar") return [single(random.between(-0.1, 0.14) * width)];
  const spread = width * random.between(0.2, 0.31);
  const bend = width * random.between(0.02, 0.1);
  const one = (side: -1 | 1): RootShape => {
    const outer = side * neck;
    const tip = side * spread + bend;
    return {
      d: path(
        "M",
        outer,
        0,
        "C",
        outer * 1.02,
        -root * 0.4,
        tip + side * neck * 0.3,
        -root * 0.84,
        tip,
        -root * (side < 0 ? 1 : 0.95),
        "C",
        tip - side * neck * 0.32,
        -root * 0.84,
        side * neck * 0.06,
        -root * 0.42,
        0,
        -root * 0.27,
        "L",
        0,
        0,
        "Z",
      ),
      canal: path("M", side * neck * 0.3, crown * 0.1, "Q", side * neck * 0.62, -root * 0.42, tip, -root * 0.88),
      tip,
    };
  };
  return [one(-1), one(1)];
}

function pulpChamber(kind: ToothKind, w: number, h: number, neck: number): string {
  if (kind === "molar" || kind === "premolar") {
    const half = neck * (kind === "molar" ? 0.56 : 0.34);
    return path(
      "M",
      -half,
      h * 0.44,
      "Q",
      -half * 0.6,
      h * 0.28,
      0,
      h * 0.33,
      "Q",
      half * 0.6,
      h * 0.28,
      half,
      h * 0.44,
      "Q",
      half,
      h * 0.04,
      half * 0.72,
      -h * 0.1,
      "Q",
      0,
      h * 0.06,
      -half * 0.72,
      -h * 0.1,
      "Q",
      -half,
      h * 0.04,
      -half,
      h * 0.44,
      "Z",
    );
  }
  return path(
    "M",
    0,
    h * 0.5,
    "Q",
    -w * 0.09,
    h * 0.1,
    -w * 0.05,
    -h * 0.16,
    "L",
    w * 0.05,
    -h * 0.16,
    "Q",
    w * 0.09,
    h * 0.1,
    0,
    h * 0.5,
    "Z",
  );
}

function fillings(random: Random, { kind, width: w, crown: h, filling }: ToothOptions): string[] {
  switch (filling) {
    case "occlusal":
      return [
        `<path d="${path("M", -w * 0.22, h * 0.98, "L", w * 0.2, h * 0.96, "Q", w * 0.17, h * 0.64, 0, h * 0.66, "Q", -w * 0.2, h * 0.62, -w * 0.22, h * 0.98, "Z")}" fill="#fff"/>`,
      ];
    case "proximal": {
      const side = random.chance(0.5) ? 1 : -1;
      return [
        `<path d="${path("M", side * w * 0.5, h * 0.36, "Q", side * w * 0.27, h * 0.4, side * w * 0.26, h * 0.7, "L", -side * w * 0.1, h * 0.72, "L", -side * w * 0.1, h * 0.96, "L", side * w * 0.44, h * 0.94, "Q", side * w * 0.54, h * 0.6, side * w * 0.5, h * 0.36, "Z")}" fill="#fff"/>`,
      ];
    }
    case "crown":
      return [`<path d="${crownOutline(kind, w * 1.03, h * 1.02, w * 0.42)}" fill="#fdfdfd"/>`];
    default:
      return [];
  }
}
