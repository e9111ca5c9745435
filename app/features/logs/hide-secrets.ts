/** Addresses that grant access: a new password, a sign-in, a patient's page or files. */
const SECRET_ADDRESS = /[?&;](tk|token|code|kode|key)=/i;
const ADDRESS = /https?:\/\/[^\s"'<>]+/gi;
const TARGET = /\shref="[^"]*"/gi;
/** A code after the word 'kode'. */
const CODE = /(\b(?:engangs)?koden?\b\D{0,20})\d{4,10}/gi;

const HIDDEN = "(linket er skjult)";

/** Removes links and codes that grant access, for readers other than the recipient. */
export function hideSecrets(text: string): string {
  return text
    .replace(TARGET, (target) => (SECRET_ADDRESS.test(target) ? "" : target))
    .replace(ADDRESS, (address) => (SECRET_ADDRESS.test(address) ? HIDDEN : address))
    .replace(CODE, "$1(skjult)");
}
