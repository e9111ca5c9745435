import { composed } from "./normalise";

/** A text without signs that change how an emoji is drawn. */
export const plain = (text: string) => composed(text).replace(/\ufe0f/g, "");

/** Words and punctuation separated by single spaces, so that a search term is found between two spaces. */
export const spacedOf = (answer: string) => ` ${(answer.match(/[\p{L}\p{M}\d]+|[.,!?;]/gu) ?? []).join(" ")} `;

/** Whether words that `spacedOf` has made hold a phrase; one that ends with `*` is the beginning of a word. */
export const says = (spaced: string, phrase: string) =>
  spaced.includes(phrase.endsWith("*") ? ` ${phrase.slice(0, -1)}` : ` ${phrase} `);
