import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";

/**
 * The tokens of the look, by name. Their values are CSS variables in app/styles/tailwind.css, so
 * light and dark need no second set of classes.
 *
 * Browser targets are Chrome 80 and iOS 12.2. What those cannot do is switched off here, so that
 * it cannot be written by accident: flex gap, the inset shorthand, aspect-ratio, preflight (its
 * `:where` drops the whole rule for buttons), and the features that make Tailwind emit its block
 * of helper variables.
 */
const spacing = {
  0: "0",
  px: "1px",
  0.5: "2px",
  1: "4px",
  1.5: "6px",
  2: "8px",
  3: "12px",
  4: "16px",
  5: "20px",
  6: "24px",
  8: "32px",
  10: "40px",
  11: "44px",
  12: "48px",
  16: "64px",
};

export default {
  content: ["./app/**/*.{ts,tsx}"],
  darkMode: "media",
  theme: {
    screens: { phone: { max: "639px" }, table: "1024px", desk: "1160px", wide: "1280px", print: { raw: "print" } },
    spacing,
    colors: {
      transparent: "transparent",
      current: "currentColor",
      bg: "var(--bg)",
      surface: "var(--surface)",
      raised: "var(--raised)",
      tint: "var(--tint)",
      ink: "var(--ink)",
      ink2: "var(--ink2)",
      line: "var(--line)",
      line2: "var(--line2)",
      control: "var(--control)",
      primary: "var(--primary)",
      "primary-hover": "var(--primary-hover)",
      primaryInk: "var(--primary-ink)",
      ok: "var(--ok)",
      okBg: "var(--ok-bg)",
      err: "var(--err)",
      errBg: "var(--err-bg)",
      warn: "var(--warn)",
      warnBg: "var(--warn-bg)",
      warnFrame: "var(--warn-frame)",
      statusNew: "var(--new)",
      statusNewBg: "var(--new-bg)",
      statusUrgent: "var(--urgent)",
      statusUrgentBg: "var(--urgent-bg)",
      statusReady: "var(--ready)",
      statusReadyBg: "var(--ready-bg)",
      statusWaiting: "var(--waiting)",
      statusWaitingBg: "var(--waiting-bg)",
      statusTreatment: "var(--treatment)",
      statusTreatmentBg: "var(--treatment-bg)",
      statusStopped: "var(--stopped)",
      statusStoppedBg: "var(--stopped-bg)",
      statusClosed: "var(--closed)",
      statusClosedBg: "var(--closed-bg)",
      focus: "var(--focus)",
      halo: "var(--halo)",
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
    plugin(({ matchUtilities, theme }) => {
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
 * (the specification's 1160 px for wide tables, 1024 px for the rest), so it is written once here.
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
      "& tr.row-warn": { background: "var(--warn-bg)", "border-color": "var(--warn-frame)" },
      "& tr.row-on:not(.row-warn)": { background: "var(--tint)" },
      "& tr.row-on": { "box-shadow": "inset 3px 0 var(--primary)" },
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
      "&.name-first tr": { display: "flex", "flex-direction": "column" },
      "&.name-first .c-first": { order: "-1" },
    },
  };
}
