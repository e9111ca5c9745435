/** Lists of a call have 1,000 items at most; every schema reads each value that is sent, and one error of many is an answer. */
const MAX_VALUES = 5_000;
const MAX_DEPTH = 20;

/** Why a JSON body is not parsed, in Danish; null for one that may be. Whether it is JSON at all is for the parser to say. */
export function jsonRefusal(text: string): string | null {
  let [values, depth, isText] = [1, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === ",") values += 1;
    else if (sign === "[" || sign === "{") [values, depth] = [values + 1, depth + 1];
    else if (sign === "]" || sign === "}") depth -= 1;
    if (values > MAX_VALUES) return "Indholdet har flere værdier, end der kan læses.";
    if (depth > MAX_DEPTH) return "Indholdet har flere lag, end der kan læses.";
  }
  return null;
}
