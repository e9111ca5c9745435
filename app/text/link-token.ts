/**
 * The token in the query of a link that was sent to somebody; empty without one. It is read up to the first sign that no token holds: mail and SMS
 * programs make a full stop, a bracket or the encoding of the next line part of a link.
 */
export function linkToken(query: URLSearchParams, name: "tk" | "token" = "tk"): string {
  return /^[\w-]*/.exec(query.get(name) ?? "")![0];
}
