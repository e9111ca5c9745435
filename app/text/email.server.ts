import { domainToASCII, domainToUnicode } from "node:url";
import { cleanLine } from "./normalise";

/** Only such domains are converted: Node would read 1.2.3 as a machine's address. */
const hasLetters = (domain: string) => /[^\0-\x7f]|\bxn--/.test(domain);

function rewriteDomain(text: string, rewrite: (domain: string) => string): string {
  const at = text.lastIndexOf("@");
  if (at < 0) return text;
  const domain = text.slice(at + 1).toLowerCase();
  return `${text.slice(0, at)}@${(hasLetters(domain) && rewrite(domain)) || domain}`;
}

/** Stored form of an e-mail: domain in lower case and Unicode, so that its punycode equals it. */
export const cleanEmail = (typed: string) => rewriteDomain(cleanLine(typed), domainToUnicode);

export const emailKey = (typed: string) => cleanEmail(typed).toLowerCase();

export const asciiEmail = (address: string) => rewriteDomain(address, domainToASCII);
