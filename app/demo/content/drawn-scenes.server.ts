/** Pictures of a referrer as SVG; `drawn-images.server.ts` renders them with grain and blur. */
import type { Random } from "./seeded-random.server";
import { drawTooth, type ToothKind } from "./tooth-shapes.server";

export interface Scene {
  svg: string;
  width: number;
  height: number;
  /** Strength of the bone texture, 0 to 1, and its size in pixels. */
  bone: { strength: number; size: number };
  grain: number;
  blur: number;
}

const shades = `<linearGradient id="dentine" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#8f8f8f"/><stop offset=".35" stop-color="#bdbdbd"/><stop offset=".7" stop-color="#b2b2b2"/><stop offset="1" stop-color="#878787"/></linearGradient>
<filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="6"/></filter>
<filter id="melt" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="3.2"/></filter>
<filter id="softer" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="18"/></filter>
<filter id="softest" x="-80%" y="-80%" width="260%" height="260%"><feGaussianBlur stdDeviation="44"/></filter>`;

const wrap = (width: number, height: number, body: string, background: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${shades}</defs><rect width="100%" height="100%" fill="${background}"/>${body}</svg>`;

const kinds: readonly ToothKind[] = ["incisor", "incisor", "canine", "premolar", "premolar", "molar", "molar", "molar"];
const widths = { upper: [45, 36, 41, 38, 38, 58, 55, 50], lower: [29, 32, 37, 38, 40, 62, 60, 56] } as const;
const someFilling = (random: Random, kind: ToothKind) => {
  if (kind === "incisor" || kind === "canine") return random.chance(0.06) ? "crown" : "none";
  return random.chance(0.55) ? "none" : random.pick(["occlusal", "proximal", "proximal", "crown"] as const);
};

/** A panoramic picture: both jaws, 1400 × 720, with impacted lower wisdom teeth. */
export function panorama(random: Random): Scene {
  const width = 1400;
  const height = 720;
  const centre = 700 + random.between(-12, 12);
  const bow = random.between(0.00021, 0.00029);
  const biteAt = (x: number) => 402 - bow * (x - centre) ** 2;
  const slopeAt = (x: number) => (Math.atan(-2 * bow * (x - centre)) * 180) / Math.PI;

  const mandible = (inset: number) =>
    `M ${118 + inset} ${176 + inset * 0.6} C ${92 + inset} 300 ${118 + inset} 470 ${222 + inset * 0.7} ${556 - inset} C 380 ${660 - inset} 560 ${684 - inset} 700 ${686 - inset} C 840 ${684 - inset} 1020 ${660 - inset} ${1178 - inset * 0.7} ${556 - inset} C ${1282 - inset} 470 ${1308 - inset} 300 ${1282 - inset} ${176 + inset * 0.6} C 1262 150 1226 150 1210 190 C 1196 290 1186 360 1120 400 C 1000 470 860 470 700 474 C 540 470 400 470 280 400 C 214 360 204 290 190 190 C 174 150 138 150 ${118 + inset} ${176 + inset * 0.6} Z`;
  const mirrored = (shape: string) => `${shape}<g transform="translate(1400 0) scale(-1 1)">${shape}</g>`;

  const behind = [
    // Broad shadows of the cervical spine and the cheeks.
    `<ellipse cx="700" cy="380" rx="660" ry="330" fill="#4a4a4a" fill-opacity=".75" filter="url(#softest)"/>`,
    `<rect x="610" y="-40" width="180" height="800" fill="#9a9a9a" fill-opacity=".2" filter="url(#softest)"/>`,
    mirrored(
      `<path d="M -30 60 C 50 160 60 420 -10 740 L -60 740 L -60 60 Z" fill="#8d8d8d" fill-opacity=".5" filter="url(#softer)"/>`,
    ),
    `<path d="M 300 150 C 420 96 980 96 1100 150 C 1110 260 1080 330 1020 356 C 860 400 540 400 380 356 C 320 330 290 260 300 150 Z" fill="#828282" fill-opacity=".66" filter="url(#softer)"/>`,
    mirrored(
      `<path d="M 352 150 C 420 110 540 116 572 160 C 590 214 540 258 470 268 C 400 276 338 236 352 150 Z" fill="#262626" fill-opacity=".62" filter="url(#soft)"/><path d="M 352 150 C 420 110 540 116 572 160 C 590 214 540 258 470 268 C 400 276 338 236 352 150 Z" fill="none" stroke="#c9c9c9" stroke-opacity=".4" stroke-width="4"/>`,
    ),
    mirrored(`<ellipse cx="652" cy="140" rx="40" ry="86" fill="#1e1e1e" fill-opacity=".6" filter="url(#soft)"/>`),
    `<path d="M 698 40 C 694 110 704 170 700 226" fill="none" stroke="#c4c4c4" stroke-opacity=".55" stroke-width="9" filter="url(#soft)"/>`,
    mirrored(
      `<path d="M 700 234 C 600 228 470 250 372 226" fill="none" stroke="#d6d6d6" stroke-opacity=".42" stroke-width="6"/>`,
    ),
    mirrored(
      `<path d="M 320 96 C 250 88 190 110 140 92" fill="none" stroke="#bdbdbd" stroke-opacity=".35" stroke-width="22" filter="url(#soft)"/>`,
    ),
    `<path d="${mandible(0)}" fill="#8a8a8a" fill-opacity=".74" filter="url(#soft)"/>`,
    `<path d="${mandible(30)}" fill="#5d5d5d" fill-opacity=".4" filter="url(#softer)"/>`,
    `<path d="M 200 530 C 380 650 560 678 700 680 C 840 678 1020 650 1200 530" fill="none" stroke="#dedede" stroke-opacity=".6" stroke-width="12" filter="url(#soft)"/>`,
    mirrored(
      `<path d="M 176 330 C 190 440 300 540 470 590" fill="none" stroke="#2c2c2c" stroke-opacity=".5" stroke-width="14"/><path d="M 164 332 C 180 450 294 556 466 604" fill="none" stroke="#cfcfcf" stroke-opacity=".3" stroke-width="3"/>`,
    ),
    mirrored(`<ellipse cx="478" cy="586" rx="12" ry="9" fill="#222" fill-opacity=".7"/>`),
    mirrored(
      `<path d="M 120 178 C 140 138 186 140 196 184" fill="none" stroke="#e2e2e2" stroke-opacity=".6" stroke-width="8" filter="url(#soft)"/>`,
    ),
    mirrored(
      `<path d="M 700 262 C 560 268 420 300 300 250 C 262 240 240 300 232 350" fill="none" stroke="#141414" stroke-opacity=".34" stroke-width="26" filter="url(#softer)"/>`,
    ),
  ];

  const teeth: string[] = [];
  for (const side of [-1, 1] as const) {
    for (const upper of [false, true]) {
      let x = centre + side * 1.5;
      kinds.forEach((kind, index) => {
        const size = (upper ? widths.upper : widths.lower)[index] ?? 40;
        x += side * (size / 2);
        const isWisdom = index === 7;
        const isMissing = isWisdom
          ? random.chance(upper ? 0.45 : 0.15)
          : random.chance(kind === "molar" || kind === "premolar" ? 0.06 : 0.01);
        if (!isMissing) {
          const crown = kind === "molar" ? 46 : kind === "premolar" ? 50 : 58;
          const root =
            (kind === "canine" ? 104 : kind === "incisor" ? 80 : kind === "premolar" ? 84 : 76) * (upper ? 1 : 1.04);
          const tilt =
            isWisdom && !upper
              ? side * -random.between(38, 88)
              : random.between(-3, 3) + (upper ? -side : side) * index * 0.9;
          const sunk = isWisdom && !upper ? random.between(18, 40) : 0;
          const gap = upper ? -crown - 2 : crown + 2;
          teeth.push(
            drawTooth(random, {
              kind,
              width: size,
              crown,
              root: isWisdom ? root * 0.82 : root,
              x: x + (isWisdom && !upper ? side * 14 : 0),
              y: biteAt(x) + gap + sunk,
              turn: slopeAt(x) * 0.9 + tilt,
              upper,
              filling: isWisdom ? "none" : someFilling(random, kind),
              rootFilled: !isWisdom && random.chance(0.05),
              ...(random.chance(0.03) ? { lesion: 17 } : {}),
            }),
          );
        }
        x += side * (size / 2 + 0.6);
      });
    }
  }
  const marks = `<text x="70" y="96" font-family="sans-serif" font-size="34" fill="#f2f2f2">R</text><text x="1302" y="96" font-family="sans-serif" font-size="34" fill="#f2f2f2">L</text>`;
  return {
    svg: wrap(width, height, behind.join("") + teeth.join("") + marks, "#141414"),
    width,
    height,
    bone: { strength: 0.42, size: 5 },
    grain: 5,
    blur: 1.1,
  };
}

/** Two to four teeth close up, 960 × 720; sometimes with an impacted wisdom tooth. */
export function intraoral(random: Random): Scene {
  const width = 960;
  const height = 720;
  const upper = random.chance(0.35);
  const isFront = random.chance(0.2);
  // The sensor's edge cuts the outer teeth.
  const count = isFront ? 6 : 5;
  const hasWisdom = !isFront && !upper && random.chance(0.55);
  const crest = random.between(312, 340);
  const flip = (y: number) => (upper ? height - y : y);
  const boneEdge = `M 0 ${flip(crest + random.between(-8, 10))} Q ${width * 0.3} ${flip(crest + 14)} ${width * 0.5} ${flip(crest)} T ${width} ${flip(crest - 4)} L ${width} ${flip(height)} L 0 ${flip(height)} Z`;
  const parts = [
    `<rect width="100%" height="100%" fill="#1b1b1b"/>`,
    `<path d="${boneEdge}" fill="#757575" filter="url(#soft)"/>`,
    `<path d="${boneEdge}" fill="none" stroke="#cfcfcf" stroke-opacity=".4" stroke-width="7"/>`,
    `<ellipse cx="${random.integer(200, 700)}" cy="${flip(620)}" rx="380" ry="130" fill="#a6a6a6" fill-opacity=".3" filter="url(#softest)"/>`,
  ];
  if (!upper && !isFront) {
    parts.push(
      `<path d="M -20 ${random.integer(590, 620)} C 300 ${random.integer(640, 690)} 700 ${random.integer(600, 660)} 980 ${random.integer(560, 600)}" fill="none" stroke="#3a3a3a" stroke-opacity=".55" stroke-width="40" filter="url(#soft)"/>`,
    );
  }
  if (upper && !isFront)
    parts.push(
      `<path d="M -20 150 C 160 260 420 200 560 120 C 700 60 900 150 1000 90 L 1000 -20 L -20 -20 Z" fill="#2e2e2e" fill-opacity=".75" filter="url(#soft)"/>`,
    );

  const size = isFront ? random.between(168, 186) : random.between(212, 236);
  let x = hasWisdom ? 590 - count * size : (width - count * size) / 2 + random.between(-50, 50);
  const treated = random.integer(1, count - 2);
  for (let index = 0; index < count; index++) {
    const kind: ToothKind = isFront ? "incisor" : index < 2 ? "premolar" : "molar";
    const wide = kind === "premolar" ? size * 0.74 : size;
    const crown = isFront ? 216 : random.between(160, 176);
    parts.push(
      drawTooth(random, {
        kind,
        width: wide,
        crown,
        root: isFront ? 300 : random.between(256, 288),
        x: x + wide / 2,
        y: flip(crest - 34 + random.between(-6, 6)),
        turn: random.between(-4, 4),
        upper,
        filling: someFilling(random, kind),
        ...(index === treated && random.chance(0.5) ? { rootFilled: true, lesion: random.between(26, 44) } : {}),
      }),
    );
    x += wide + 3;
  }
  if (hasWisdom) {
    parts.push(
      drawTooth(random, {
        kind: "molar",
        width: 214,
        crown: 158,
        root: 214,
        x: x + 150,
        y: crest + 66,
        turn: -random.between(48, 84),
        upper: false,
        filling: "none",
      }),
    );
  }
  return {
    svg: wrap(width, height, parts.join(""), "#1b1b1b"),
    width,
    height,
    bone: { strength: 0.85, size: 8 },
    grain: 5,
    blur: 1.5,
  };
}

/** The side of a head with its ruler, 1000 × 1100, facing right. */
export function cephalogram(random: Random): Scene {
  const width = 1000;
  const height = 1100;
  const chin = random.between(-26, 26);
  const vertebrae = Array.from({ length: 5 }, (_, index) => {
    const x = 300 + index * 7;
    const y = 690 + index * 82;
    return `<rect x="${x}" y="${y}" width="92" height="62" rx="13" fill="#a2a2a2" fill-opacity=".6" stroke="#dadada" stroke-opacity=".5" stroke-width="4" transform="rotate(${-9 + index * 2} ${x + 46} ${y + 31})"/><path d="M ${x - 4} ${y + 22} L ${x - 92} ${y + 60} L ${x - 86} ${y + 84} L ${x} ${y + 50} Z" fill="#8a8a8a" fill-opacity=".5"/>`;
  });
  const ticks = Array.from(
    { length: 11 },
    (_, index) =>
      `<rect x="${index % 5 === 0 ? 934 : 944}" y="${150 + index * 40}" width="${index % 5 === 0 ? 26 : 16}" height="3" fill="#f4f4f4"/>`,
  );
  const profile = `M 742 120 C 800 220 806 300 792 352 C 800 380 822 400 866 506 C 876 534 852 546 822 548 C 834 580 846 596 842 622 C 838 640 822 642 818 650 C 838 660 846 684 ${832 + chin * 0.5} 704 C ${812 + chin} 716 ${806 + chin} 724 ${812 + chin} 742 C ${834 + chin} 790 ${820 + chin} 838 ${770 + chin} 856 C 700 872 620 880 560 920 C 530 960 530 1030 536 1110`;
  const parts = [
    `<path d="${profile} L 120 1110 C 170 900 60 760 60 470 C 60 200 260 40 480 40 C 610 40 700 70 742 120 Z" fill="#4e4e4e" fill-opacity=".8" filter="url(#soft)"/>`,
    `<path d="M 744 330 C 742 170 620 84 450 84 C 250 84 110 240 112 440 C 114 580 180 650 290 668 C 380 676 470 640 560 600 C 660 560 742 480 744 330 Z" fill="#7a7a7a" fill-opacity=".62"/>`,
    `<path d="M 744 330 C 742 170 620 84 450 84 C 250 84 110 240 112 440 C 114 580 180 650 290 668" fill="none" stroke="#ededed" stroke-opacity=".75" stroke-width="15" filter="url(#soft)"/>`,
    `<path d="M 736 330 C 730 190 620 106 450 106 C 262 106 134 250 136 440 C 138 560 200 624 290 640" fill="none" stroke="#dcdcdc" stroke-opacity=".4" stroke-width="5"/>`,
    `<path d="M 742 392 C 660 404 600 402 556 414 C 536 420 532 448 512 450 C 492 452 486 424 470 420 C 430 470 380 540 320 600" fill="none" stroke="#efefef" stroke-opacity=".72" stroke-width="9" filter="url(#soft)"/>`,
    `<ellipse cx="408" cy="560" rx="82" ry="58" fill="#d6d6d6" fill-opacity=".62" filter="url(#softer)"/>`,
    `<circle cx="404" cy="556" r="17" fill="#262626" fill-opacity=".8"/>`,
    `<ellipse cx="694" cy="432" rx="58" ry="52" fill="#383838" fill-opacity=".7" filter="url(#soft)"/><path d="M 744 396 C 700 376 640 388 634 430 C 634 476 690 494 742 480" fill="none" stroke="#e6e6e6" stroke-opacity=".5" stroke-width="7"/>`,
    `<path d="M 762 392 C 786 420 800 452 806 474" fill="none" stroke="#e2e2e2" stroke-opacity=".65" stroke-width="9" filter="url(#soft)"/>`,
    `<path d="M 560 470 C 620 470 720 500 764 560 C 784 590 776 612 760 628 L 580 640 C 546 600 540 520 560 470 Z" fill="#8c8c8c" fill-opacity=".6" filter="url(#soft)"/>`,
    `<path d="M 590 500 C 650 490 716 516 724 560 C 700 588 620 590 596 572 Z" fill="#2f2f2f" fill-opacity=".6" filter="url(#soft)"/>`,
    `<path d="M 556 604 C 630 590 720 594 796 598" fill="none" stroke="#f0f0f0" stroke-opacity=".68" stroke-width="8"/>`,
    `<path d="M 448 556 C 470 528 500 540 506 570 C 520 590 560 560 572 590 C 566 640 570 690 606 716 L ${780 + chin} 712 C ${800 + chin} 760 ${806 + chin} 800 ${772 + chin} 822 C 700 836 600 812 520 772 C 470 740 452 640 448 556 Z" fill="#9b9b9b" fill-opacity=".66" filter="url(#soft)"/>`,
    `<path d="M 456 620 C 462 700 486 748 530 774 C 600 812 700 834 ${770 + chin} 820 C ${800 + chin} 804 ${800 + chin} 760 ${782 + chin} 722" fill="none" stroke="#f2f2f2" stroke-opacity=".66" stroke-width="10" filter="url(#soft)"/>`,
    `<path d="M 520 640 C 560 700 640 752 740 770" fill="none" stroke="#3a3a3a" stroke-opacity=".45" stroke-width="12"/>`,
    `<path d="M 470 640 C 450 720 440 800 470 900 C 480 980 470 1040 476 1110" fill="none" stroke="#101010" stroke-opacity=".62" stroke-width="38" filter="url(#soft)"/>`,
    ...vertebrae,
  ];
  const row = (upper: boolean) =>
    (["molar", "molar", "premolar", "premolar", "canine"] as const).map((kind, index) =>
      drawTooth(random, {
        kind,
        width: kind === "molar" ? 46 : 33,
        crown: 36,
        root: 52,
        x: 596 + index * 37 + (upper ? 0 : chin * 0.3),
        y: upper ? 630 : 706,
        turn: random.between(-4, 4),
        upper,
        filling: someFilling(random, kind),
      }),
    );
  parts.push(...row(false), ...row(true));
  parts.push(
    drawTooth(random, {
      kind: "incisor",
      width: 30,
      crown: 50,
      root: 66,
      x: 784,
      y: 622,
      turn: -22,
      upper: true,
      filling: "none",
    }),
  );
  parts.push(
    drawTooth(random, {
      kind: "incisor",
      width: 25,
      crown: 44,
      root: 62,
      x: 772 + chin * 0.6,
      y: 708,
      turn: 16,
      upper: false,
      filling: "none",
    }),
  );
  parts.push(...ticks, `<rect x="958" y="150" width="3" height="403" fill="#f4f4f4"/>`);
  return {
    svg: wrap(width, height, parts.join(""), "#0c0c0c"),
    width,
    height,
    bone: { strength: 0.4, size: 6 },
    grain: 5,
    blur: 1.4,
  };
}

/** A photograph of front teeth between lips, 1200 × 800, in colour. */
export function photo(random: Random): Scene {
  const width = 1200;
  const height = 800;
  const shadeOf = (index: number) =>
    `hsl(${44 - index}, ${random.integer(24, 36)}%, ${random.integer(84, 89) - index * 3}%)`;
  const teeth: string[] = [];
  const gumTops = { upper: [] as string[], lower: [] as string[] };
  for (const upper of [true, false]) {
    for (const side of [-1, 1] as const) {
      let x = 600 + side * 2;
      [88, 72, 78, 66, 60, 70].forEach((full, index) => {
        const wide = full * (upper ? 1.16 : 0.86) * (1 - index * 0.045);
        const tall = (upper ? 176 : 128) - index * 12;
        const lift = index ** 2 * (upper ? -2.2 : -1.6);
        const neck = upper ? 238 + lift + index * 7 : 540 + lift - index * 4;
        const bite = upper ? neck + tall : neck - tall;
        const left = side < 0 ? x - wide : x;
        const bulge = upper ? -20 : 16;
        teeth.push(
          `<path d="M ${left + 4} ${neck} Q ${left + wide / 2} ${neck + bulge * 1.5} ${left + wide - 4} ${neck} C ${left + wide + 3} ${neck + (bite - neck) * 0.5} ${left + wide + 1} ${bite - Math.sign(bite - neck) * 14} ${left + wide - 10} ${bite} Q ${left + wide / 2} ${bite + Math.sign(bite - neck) * 6} ${left + 10} ${bite} C ${left - 1} ${bite - Math.sign(bite - neck) * 14} ${left - 3} ${neck + (bite - neck) * 0.5} ${left + 4} ${neck} Z" fill="${shadeOf(index)}" stroke="#6d4a3c" stroke-opacity=".38" stroke-width="3"/>`,
          `<ellipse cx="${left + wide * 0.36}" cy="${neck + (bite - neck) * 0.42}" rx="${wide * 0.1}" ry="${tall * 0.2}" fill="#fff" fill-opacity=".5" filter="url(#soft)"/>`,
        );
        (upper ? gumTops.upper : gumTops.lower).push(
          `<ellipse cx="${left + wide / 2}" cy="${neck + (upper ? -34 : 36)}" rx="${wide * 0.56}" ry="52" fill="#dd8f8b"/>`,
        );
        x += side * (wide + 1);
      });
    }
  }
  const lesionX = random.integer(380, 820);
  const parts = [
    `<rect width="1200" height="800" fill="#a85f58"/>`,
    `<ellipse cx="600" cy="400" rx="580" ry="360" fill="#c9807a" filter="url(#softest)"/>`,
    `<ellipse cx="600" cy="410" rx="540" ry="228" fill="#3a1714" filter="url(#softer)"/>`,
    `<path d="M 70 330 C 260 90 940 90 1130 330 C 1000 250 880 226 600 230 C 320 226 200 250 70 330 Z" fill="#d78883" filter="url(#soft)"/>`,
    `<path d="M 110 470 C 260 720 940 720 1090 470 C 960 556 820 574 600 574 C 380 574 240 556 110 470 Z" fill="#cf7f7b" filter="url(#soft)"/>`,
    `<g filter="url(#soft)">${gumTops.upper.join("")}${gumTops.lower.join("")}</g>`,
    teeth.join(""),
    `<ellipse cx="${lesionX}" cy="188" rx="34" ry="22" fill="${random.pick(["#f3e6df", "#8d2f38", "#7b4a7a"])}" fill-opacity=".75" filter="url(#soft)"/>`,
    `<path d="M 0 0 L 1200 0 L 1200 300 C 1100 90 860 40 600 44 C 340 40 100 90 0 300 Z" fill="#b4655f" filter="url(#softer)"/>`,
    `<path d="M 0 800 L 1200 800 L 1200 500 C 1100 720 860 764 600 764 C 340 764 100 720 0 500 Z" fill="#b0605b" filter="url(#softer)"/>`,
    `<ellipse cx="440" cy="150" rx="90" ry="14" fill="#fff" fill-opacity=".35" filter="url(#softer)"/><ellipse cx="760" cy="640" rx="120" ry="14" fill="#fff" fill-opacity=".28" filter="url(#softer)"/>`,
  ];
  return {
    svg: wrap(width, height, parts.join(""), "#a85f58"),
    width,
    height,
    bone: { strength: 0, size: 8 },
    grain: 3,
    blur: 1.2,
  };
}

/** One horizontal slice of a volume scan (CBCT) through the lower teeth, 256 × 256. */
export function slice(random: Random): Scene {
  const width = 256;
  const height = 256;
  const open = random.between(0.92, 1.06);
  const pointAt = (angle: number, reach: number) => ({
    x: 128 + Math.sin(angle) * 78 * open * reach,
    y: 176 - Math.cos(angle) * 122 * reach + Math.abs(Math.sin(angle)) * 6,
  });
  const bow = (reach: number) =>
    Array.from({ length: 41 }, (_, index) => {
      const { x, y } = pointAt(-1.62 + (index * 3.24) / 40, reach);
      return `${index === 0 ? "M" : "L"} ${x.toFixed(1)} ${y.toFixed(1)}`;
    }).join(" ");
  const teeth: string[] = [];
  let angle = -1.42;
  for (const side of [-1, 1]) {
    angle = side * 0.045;
    kinds.forEach((kind, index) => {
      const radius = kind === "molar" ? 9.4 : kind === "premolar" ? 6.6 : 5.2;
      angle += (side * (radius + 0.6)) / 108;
      const { x, y } = pointAt(angle, 0.93);
      const turn = (angle * 180) / Math.PI;
      if (!random.chance(0.05)) {
        const isFilled = random.chance(0.08);
        teeth.push(
          `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})"><ellipse rx="${radius}" ry="${kind === "molar" ? 8.4 : 7.4}" fill="${isFilled ? "#fff" : "#ececec"}"/><ellipse rx="${radius * 0.68}" ry="5.4" fill="${isFilled ? "#fff" : "#b9b9b9"}"/><ellipse rx="${radius * 0.24}" ry="1.8" fill="#747474"/></g>`,
        );
      }
      angle += (side * (radius + 0.6)) / 108 + side * index * 0.0035;
    });
  }
  const parts = [
    `<rect width="256" height="256" fill="#060606"/>`,
    `<path d="M 128 26 C 214 30 246 120 236 250 L 20 250 C 10 120 42 30 128 26 Z" fill="#3d3d3d" filter="url(#soft)"/>`,
    `<ellipse cx="128" cy="150" rx="44" ry="66" fill="#4c4c4c" filter="url(#soft)"/>`,
    `<path d="${bow(0.93)}" fill="none" stroke="#6b6b6b" stroke-width="26" stroke-linecap="round" filter="url(#thin)"/>`,
    `<path d="${bow(1.03)}" fill="none" stroke="#bcbcbc" stroke-opacity=".8" stroke-width="3.4" stroke-linecap="round"/>`,
    `<path d="${bow(0.815)}" fill="none" stroke="#b4b4b4" stroke-opacity=".7" stroke-width="3" stroke-linecap="round"/>`,
    teeth.join(""),
    `<ellipse cx="128" cy="240" rx="26" ry="20" fill="#9d9d9d" filter="url(#thin)"/><ellipse cx="128" cy="246" rx="11" ry="9" fill="#4a4a4a"/>`,
    `<ellipse cx="128" cy="206" rx="20" ry="11" fill="#070707" filter="url(#thin)"/>`,
  ];
  const thin = `<defs><filter id="thin" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="1.6"/></filter></defs>`;
  return {
    svg: wrap(width, height, thin + parts.join(""), "#060606"),
    width,
    height,
    bone: { strength: 0.5, size: 3 },
    grain: 6,
    blur: 0.7,
  };
}
