import { domainToASCII, domainToUnicode } from "node:url";
import { cleanLine } from "./normalise";

/** Only such a domain is converted: Node would read others, such as 1.2.3, as the address of a machine. */
const hasLetters = (domain: string) => /[^\0-\x7f]|\bxn--/.test(domain);

function rewriteDomain(text: string, rewrite: (domain: string) => string): string {
  const at = text.lastIndexOf("@");
  if (at < 0) return text;
  const domain = text.slice(at + 1).toLowerCase();
  return `${text.slice(0, at)}@${(hasLetters(domain) && rewrite(domain)) || domain}`;
}

/** An e-mail address as it is stored: the domain in lower case and in letters, so that its punycode is the same address. */
export const cleanEmail = (typed: string) => rewriteDomain(cleanLine(typed), domainToUnicode);

/** What two spellings of one address share: uniqueness, sign-in and search compare by it. */
export const emailKey = (typed: string) => cleanEmail(typed).toLowerCase();

/** The address with its domain in ASCII, as the rules of e-mail addresses know it. */
export const asciiEmail = (address: string) => rewriteDomain(address, domainToASCII);
