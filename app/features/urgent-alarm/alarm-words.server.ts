import { composed } from "~/text/normalise";

/** A text without signs that change how an emoji is drawn. */
export const plain = (text: string) => composed(text).replace(/\ufe0f/g, "");

/** Words and punctuation separated by single spaces, so that a search term is found between two spaces. */
export const spacedOf = (answer: string) => ` ${(answer.match(/[\p{L}\p{M}\d]+|[.,!?;]/gu) ?? []).join(" ")} `;

export const says = (spaced: string, phrase: string) =>
  spaced.includes(phrase.endsWith("*") ? ` ${phrase.slice(0, -1)}` : ` ${phrase} `);

const ALARMS =
  "blød*|synke*|vejret|åndenød|ånde|trække vejr*|hæv*|feber|allergi*|gravid*|blodfortynd*|skadestue*|lægevagt*|ambulance*|112|besvim*|død|døde|døende|dødsfald*".split(
    "|",
  );

/** Whether a clinical word asks to be read first. It orders answers and decides nothing. */
export function isAlarming(text: string): boolean {
  const spaced = spacedOf(plain(text).toLowerCase());
  return ALARMS.some((alarm) => says(spaced, alarm));
}
