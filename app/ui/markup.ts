/** Markup that is ready: what `markup` answers, and what it lets through as it is. */
export class Markup {
  constructor(readonly html: string) {}
}

type Piece = string | number | Markup | readonly Markup[] | null | undefined | false;

const escape = (text: string) => (/[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`) : text);

function piece(value: Piece): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return escape(value);
  if (typeof value === "number") return String(value);
  if (value instanceof Markup) return value.html;
  return value.map(({ html }) => html).join("");
}

/**
 * Markup as a template, for what stands in every row of a long list (docs/decisions/0015). Everything put in is escaped, in text and in
 * quoted attributes alike, unless it is Markup already; null, undefined and false leave nothing.
 */
export function markup(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  let html = strings[0]!;
  for (let index = 0; index < pieces.length; index += 1) html += piece(pieces[index]) + strings[index + 1]!;
  return new Markup(html);
}
