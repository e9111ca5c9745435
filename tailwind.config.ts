import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";

/**
 * The tokens of the look, by name: colours, spacing, type, breakpoints.
 *
 * Browser targets are Chrome 80 and iOS 12.2. What those cannot do is switched off here, so that
 * it cannot be written by accident: flex gap, the inset shorthand, aspect-ratio, preflight (its
 * `:where` drops the whole rule for buttons), and the features that make Tailwind emit its block
 * of helper variables.
 */

/** Light and dark. Utilities name the CSS variable, so that one set of classes serves both. */
const colors: Record<string, [light: string, dark: string]> = {
  bg: ["#f3f5f7", "#0f161d"],
  surface: ["#fff", "#17212a"],
  raised: ["#f8fafb", "#1c2833"],
  tint: ["#eaf0f5", "#22313f"],
  ink: ["#16232e", "#e7edf2"],
  ink2: ["#4b5b69", "#a6b5c2"],
  line: ["#dde3e9", "#2a3845"],
  line2: ["#c2ccd5", "#3c4d5c"],
  control: ["#768795", "#73879a"],
  primary: ["#3b6287", "#41709b"],
  "primary-hover": ["#2f506f", "#355f86"],
  "primary-ink": ["#31546f", "#93bbdf"],
  ok: ["#1b6b3f", "#7fcf9e"],
  "ok-bg": ["#e4f2e9", "#183426"],
  err: ["#ae271f", "#ff9c92"],
  "err-bg": ["#fbebe9", "#3e1f1e"],
  warn: ["#6f4a00", "#f0cf76"],
  "warn-bg": ["#fff8dc", "#332c17"],
  "warn-row": ["#fffdf3", "#212523"],
  "warn-frame": ["#e3ce80", "#6a5822"],
  new: ["#2b5480", "#9cc3e8"],
  "new-bg": ["#e3ecf5", "#1e3449"],
  urgent: ["#a3271f", "#ff9f95"],
  "urgent-bg": ["#fae6e4", "#472220"],
  "urgent-row": ["#fdf1f0", "#2a2127"],
  ready: ["#0c6158", "#7ad0c2"],
  "ready-bg": ["#dcf0ed", "#153a37"],
  waiting: ["#744800", "#ebc06b"],
  "waiting-bg": ["#fbeed5", "#3c2f14"],
  treatment: ["#46429a", "#b9b5f5"],
  "treatment-bg": ["#eae9f7", "#2c2a55"],
  stopped: ["#7c2e5c", "#efa6cc"],
  "stopped-bg": ["#f6e5ee", "#45233a"],
  closed: ["#4b5b69", "#a6b5c2"],
  "closed-bg": ["#e9edf1", "#26333f"],
  "plot-1": ["#a3bdd6", "#47647f"],
  "plot-2": ["#44719b", "#7fa9d0"],
  "plot-3": ["#1c3347", "#d6e5f3"],
  "plot-warn": ["#b0761a", "#d9a94a"],
  "plot-red": ["#a3271f", "#f0857a"],
  focus: ["#16232e", "#fff"],
  halo: ["#ffc83d", "#c98a00"],
  shade: ["rgba(22, 35, 46, 0.1)", "rgba(0, 0, 0, 0.5)"],
  veil: ["rgba(22, 35, 46, 0.5)", "rgba(0, 0, 0, 0.6)"],
};

/** What has a colour of its own and a ground to it; `info` is plain ink on a tint. */
const tones = ["new", "urgent", "ready", "waiting", "treatment", "stopped", "closed", "ok", "err", "warn"];

/** What a select bears at its end. */
const arrow = (color: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='${color.replace("#", "%23")}' d='M7.4 8.6 12 13.2l4.6-4.6L18 10l-6 6-6-6z'/%3E%3C/svg%3E")`;

const variables = (scheme: 0 | 1) => ({
  ...Object.fromEntries(Object.entries(colors).map(([name, pair]) => [`--${name}`, pair[scheme]])),
  "--arrow": arrow(colors["ink2"]![scheme]),
  "color-scheme": ["light", "dark"][scheme]!,
});

const spacing = {
  0: "0",
  px: "1px",
  0.5: "2px",
  1: "4px",
  1.5: "6px",
  2: "8px",
  2.5: "10px",
  3: "12px",
  3.5: "14px",
  4: "16px",
  4.5: "18px",
  5: "20px",
  6: "24px",
  7: "28px",
  8: "32px",
  9: "36px",
  10: "40px",
  11: "44px",
  12: "48px",
  16: "64px",
};

export default {
  content: ["./app/**/*.{ts,tsx}", "!./app/demo/**", "!./app/**/*.test.{ts,tsx}"],
  // Words and negations of the source that are no classes.
  blocklist: [
    "!data",
    "blur",
    "grow",
    "inline",
    "invert",
    "invisible",
    "outline",
    "resize",
    "shrink",
    "transition",
    "visible",
  ],
  darkMode: "media",
  theme: {
    screens: {
      phone: { max: "639px" },
      tablet: "640px",
      table: "1024px",
      desk: "1160px",
      wide: "1280px",
      print: { raw: "print" },
    },
    spacing,
    colors: {
      transparent: "transparent",
      current: "currentColor",
      inherit: "inherit",
      // Of the nearest `.tone-…`.
      tone: "var(--t)",
      ground: "var(--tb)",
      white: "#fff",
      ...Object.fromEntries(Object.keys(colors).map((name) => [name, `var(--${name})`])),
    },
    fontSize: {
      micro: ["12px", "16px"],
      label: ["13px", "18px"],
      meta: ["14px", "20px"],
      base: ["15px", "20px"],
      body: ["16px", "24px"],
      patient: ["17px", "26px"],
      section: ["16px", "24px"],
      group: ["18px", "24px"],
      title: ["24px", "32px"],
    },
    fontWeight: { normal: "400", medium: "500", semibold: "600" },
    borderRadius: { none: "0", sm: "5px", DEFAULT: "6px", panel: "8px", card: "10px", full: "999px" },
  },
  corePlugins: {
    preflight: false,
    gap: false,
    inset: false,
    aspectRatio: false,
    backdropFilter: false,
    backgroundImage: false,
    borderSpacing: false,
    boxShadow: false,
    boxShadowColor: false,
    contain: false,
    filter: false,
    fontVariantNumeric: false,
    gradientColorStops: false,
    ringWidth: false,
    scrollSnapType: false,
    touchAction: false,
    transform: false,
    translate: false,
  },
  plugins: [
    plugin(({ addBase, addComponents }) => {
      // `.theme-light` and `.theme-dark` set the same variables on any element, so the kit page shows both side by side.
      addBase({
        ":root, .theme-light": variables(0),
        ".theme-dark": variables(1),
        "@media screen and (prefers-color-scheme: dark)": { ":root:not(.theme-light)": variables(1) },
      });
      addComponents(
        tones.map((tone) => ({ [`.tone-${tone}`]: { "--t": `var(--${tone})`, "--tb": `var(--${tone}-bg)` } })),
      );
      addComponents({ ".tone-info": { "--t": "var(--ink)", "--tb": "var(--tint)" } });
    }),
    plugin(({ addUtilities, addVariant, matchUtilities, theme }) => {
      addVariant("off", ["&:disabled", "&[aria-disabled]"]);
      addVariant("current", "&[aria-current]");
      // Before the script has come, on a page that has one (ui/layout/early-scripts.tsx).
      addVariant("scripts", ".scripts &");
      addVariant("unchosen", ".scripts form:not([data-chosen]) &");
      addUtilities({
        ".shadow-float": { "box-shadow": "0 6px 20px var(--shade)" },
        ".scroll-touch": { "-webkit-overflow-scrolling": "touch" },
        // iOS 12 knows only the first.
        // On a low screen, or at 400 %, a bar would cover half of it.
        ".stuck": {
          position: ["-webkit-sticky", "sticky"],
          "@media (max-height: 480px)": { position: "static" },
        },
        // The ring of focus where its surroundings would cut it off.
        ".ring-inside": {
          "&:focus": { "box-shadow": "inset 0 0 0 2px var(--focus), inset 0 0 0 5px var(--halo)" },
          "&:focus:not(:focus-visible)": { "box-shadow": "none" },
        },
        // iOS 12 knows only the second.
        ".break-anywhere": { "overflow-wrap": "anywhere", "word-break": "break-word" },
        ".no-marker": { "list-style": "none", "&::-webkit-details-marker": { display: "none" } },
      });
      const values = theme("spacing");
      matchUtilities({ "grid-gap": (value) => ({ "grid-gap": value }) }, { values });
      matchUtilities(
        {
          top: (value) => ({ top: value }),
          right: (value) => ({ right: value }),
          bottom: (value) => ({ bottom: value }),
          left: (value) => ({ left: value }),
        },
        { values },
      );
    }),
    plugin(({ addComponents }) => {
      addComponents({
        "@media screen and (max-width: 1159px)": tableAsCards("table.data-wide"),
        "@media screen and (max-width: 1023px)": tableAsCards("table.data"),
      });
    }),
  ],
} satisfies Config;

/**
 * A table whose rows are cards: each cell a line of `data-label` and value. Two breakpoints use it
 * (1160 px for wide tables, 1024 px for the rest), so it is written once here.
 */
function tableAsCards(table: string) {
  return {
    [table]: {
      display: "block",
      border: "0",
      background: "none",
      // Read by screen readers, and seen while the keyboard is in it.
      "& thead:not(:focus-within)": {
        position: "absolute",
        width: "1px",
        height: "1px",
        overflow: "hidden",
        clip: "rect(0,0,0,0)",
      },
      "& thead, & tbody": { display: "block" },
      "& tr": {
        display: "block",
        position: "relative",
        padding: "12px 14px",
        margin: "0 0 10px",
        border: "1px solid var(--line)",
        "border-radius": "10px",
        background: "var(--surface)",
      },
      "& tr.row-urgent": { background: "var(--urgent-row)" },
      "& tr.row-warn": { background: "var(--warn-row)", "border-color": "var(--warn-frame)" },
      "& tr.row-on:not(.row-warn)": { background: "var(--tint)" },
      "& tr.row-on": { "box-shadow": "inset 3px 0 var(--primary)" },
      "& .row-below": { "margin-top": "-16px" },
      "& tr > td": {
        display: "flex",
        "align-items": "center",
        height: "auto",
        padding: "4px 0",
        border: "0",
        background: "none",
        "text-align": "left",
      },
      "& tr > td:first-child": { "padding-left": "0", "box-shadow": "none" },
      "& tr > .num": { "text-align": "left" },
      "& tr > td:empty": { display: "none" },
      "& td[data-label]::before": {
        content: "attr(data-label)",
        flex: "0 0 38%",
        "padding-right": "12px",
        color: "var(--ink2)",
        "font-size": "14px",
      },
      "& tr > .c-first": { display: "block", "font-size": "16px", "font-weight": "600" },
      "& .c-first::before": { content: "none" },
      // The name and what opens the row first, then as much in a line as there is room for.
      "&.name-first tr": { display: "flex", "flex-wrap": "wrap", "align-items": "center", padding: "8px 14px" },
      "&.name-first tr > td": { "max-width": "100%", padding: "2px 12px 2px 0" },
      "&.name-first td[data-label]::before": { flex: "none", "padding-right": "6px", "font-size": "13px" },
      "&.name-first tr > .c-first": { order: "-1", flex: "1 0 100%", padding: "4px 40px 4px 0" },
      "&.name-first tr > .c-pick": { order: "-2", padding: "0 10px 0 0" },
      "&.name-first tr > .c-pick ~ .c-first": { flex: "1 0 calc(100% - 48px)" },
      "&.name-first tr > .c-open": { position: "absolute", top: "2px", right: "2px", padding: "0" },
      "&.name-first .open-referral > td": { flex: "1 0 100%", "min-width": "0", padding: "4px 0", border: "0" },
    },
  };
}
