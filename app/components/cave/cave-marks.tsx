import { Fragment } from "react";
import type { CaveMark } from "~/features/referrals/model/cave";
import { Verbatim } from "~/ui/layout/translation";

/** What is cut can hide the substance: 'Ingen kendte, men udslæt efter penicillin' is shown whole. */
const SHOWN = 100;

const looks = {
  // The same in the dark: nothing else on a page is white on red.
  allergy: { word: "CAVE", className: "chip my-0.5 bg-[#a3271f] text-white" },
  medicine: { word: "Medicin", className: "chip my-0.5 tone-warn" },
};

const cut = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);

/** Allergies and medicine that change an operation; `isWhole` cuts none. */
export function CaveMarks({ marks, isWhole }: { marks: readonly CaveMark[]; isWhole?: boolean }) {
  return (
    <>
      {marks.map(({ kind, text, from }) => {
        const { word, className } = looks[kind];
        const source = from === null ? "" : ` (nr. ${from})`;
        return (
          <span
            key={`${kind} ${text}`}
            className={isWhole ? `${className} flex` : className}
            title={`${word} ${text}${source}`}
          >
            <span>
              {word} <Verbatim className="font-normal">{isWhole ? text : cut(text)}</Verbatim>
              {source}
            </span>
          </span>
        );
      })}
    </>
  );
}

/** Words of the referrer's other texts that may be no mark yet; nothing is drawn where there are none. */
export function TextMentions({ mentions, className }: { mentions: readonly string[]; className?: string }) {
  if (mentions.length === 0) return null;
  return (
    <p className={className}>
      Teksten nævner:{" "}
      {mentions.map((mention, index) => (
        <Fragment key={mention}>
          {index > 0 && ", "}
          <Verbatim>{mention}</Verbatim>
        </Fragment>
      ))}
    </p>
  );
}
