import { isMadeUp, secret } from "./setting-fields.server";

const ON_THIS_MACHINE = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** What a trial may leave open, and production may not. */
export function productionErrors(env: Record<string, string | undefined>): string[] {
  const given = (name: string) => env[name]?.trim() ?? "";
  const errors = ["APP_SECRET", "ADMIN_ORIGIN", "PUBLIC_ORIGIN"]
    .filter((name) => given(name) === "")
    .map((name) => `${name}: is required in production`);
  if (given("ADMIN_IP_ALLOW") === "")
    errors.push(
      "ADMIN_IP_ALLOW: is required in production: the addresses of the clinic's network, or `any` when the staff host shall be open to everybody",
    );
  if (given("PARKING_IP_ALLOW") === "")
    errors.push(
      "PARKING_IP_ALLOW: is required in production: the addresses that may book parking, or `any` when everybody may",
    );
  for (const name of ["APP_SECRET", "SMS_WEBHOOK_SECRET", "METRICS_TOKEN"])
    if (secret.safeParse(given(name)).success && isMadeUp(given(name)))
      errors.push(`${name}: must be random, not words or a run of letters: \`openssl rand -base64 48\` makes one`);
  const origins = ["ADMIN_ORIGIN", "PUBLIC_ORIGIN"].filter((name) => URL.canParse(given(name)));
  for (const name of origins) {
    const { protocol, origin: own } = new URL(given(name));
    if (protocol === "http:" && !ON_THIS_MACHINE.test(own))
      errors.push(`${name}: must begin with https:// in production`);
  }
  const [staff, open] = origins.map((name) => new URL(given(name)).host);
  if (staff !== undefined && staff === open)
    errors.push("PUBLIC_ORIGIN: must be another host than ADMIN_ORIGIN in production");
  return errors;
}
