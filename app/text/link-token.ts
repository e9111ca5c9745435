/**
 * The token of a link; empty without one. Reading stops at the first character outside the alphabet, because mail and
 * SMS programs append punctuation.
 */
export function linkToken(query: URLSearchParams, name: "tk" | "token" = "tk"): string {
  return /^[\w-]*/.exec(query.get(name) ?? "")![0];
}
