import { readFileSync } from "node:fs";
import { z } from "zod";
import type { IdentityProviderSettings } from "~/gateways/identity-provider/port";
import { type Given, optional, readableFile, requiredWith, whole, withDefault } from "./setting-fields.server";
import { isThisMachine } from "./transport-settings.server";

/** Whether people may sign in with a password here: everybody, everybody but staff, or nobody. */
type PasswordSignIn = "on" | "staff-off" | "off";

export interface SignInSettings {
  staff: IdentityProviderSettings | null;
  referrers: IdentityProviderSettings | null;
  password: PasswordSignIn;
  /** The clinic of dentists whose first sign-in creates their account; null creates nobody. */
  newReferrersClinicId: number | null;
}

/** Entra ID's addresses for accounts of any organisation, whose e-mail addresses prove nothing. */
const MANY_TENANTS = /\/(common|organizations|consumers)(\/|$)/;

const issuer = z
  .url({ protocol: /^https?$/, error: "must be the whole address of the issuer, such as https://login.eksempel.dk" })
  .refine(
    (value) => new URL(value).protocol === "https:" || isThisMachine(new URL(value).hostname),
    "must begin with https://",
  )
  .refine((value) => !MANY_TENANTS.test(value), "must name one organisation's tenant, not `common`");

const fieldsOf = <P extends "OIDC_STAFF" | "OIDC_REFERRER">(prefix: P) => ({
  [`${prefix}_ISSUER`]: optional(issuer),
  [`${prefix}_CLIENT_ID`]: optional(z.string()),
  [`${prefix}_CLIENT_SECRET`]: optional(z.string()),
  [`${prefix}_CLIENT_KEY_FILE`]: optional(readableFile),
  [`${prefix}_LABEL`]: optional(z.string().max(60, "must be at most 60 characters")),
  [`${prefix}_CLAIM`]: withDefault(
    z.string().regex(/^[^\s+]+(\+[^\s+]+)*$/, "must be a claim, or several joined by +"),
    "preferred_username",
  ),
  [`${prefix}_SCOPE`]: withDefault(z.string().regex(/\bopenid\b/, "must contain openid"), "openid profile email"),
  [`${prefix}_ACR`]: optional(z.string()),
});

const GROUPS = /^[^=,]+=(Admin|Surgeon)(,[^=,]+=(Admin|Surgeon))*$/;

export const identityProviderFields = {
  ...fieldsOf("OIDC_STAFF"),
  ...fieldsOf("OIDC_REFERRER"),
  OIDC_STAFF_GROUPS: optional(
    z.string().regex(GROUPS, "must be pairs such as henvisning-admin=Admin,henvisning-kirurg=Surgeon"),
  ),
  OIDC_REFERRER_CREATE: withDefault(z.enum(["on", "off"], "must be on or off"), "off"),
  OIDC_REFERRER_CREATE_CLINIC: optional(whole(1, 2_147_483_647)),
  PASSWORD_SIGN_IN: withDefault(z.enum(["on", "staff-off", "off"], "must be on, staff-off or off"), "on"),
};

export function identityProviderErrors(given: Given): string[] {
  const errors = ["OIDC_STAFF", "OIDC_REFERRER"].flatMap((prefix) => {
    const one = Object.keys(identityProviderFields).find((name) => name.startsWith(`${prefix}_`) && given[name]);
    if (one === undefined) return [];
    return [
      ...requiredWith(given, one, `${prefix}_ISSUER`, `${prefix}_CLIENT_ID`, `${prefix}_LABEL`),
      ...(Boolean(given[`${prefix}_CLIENT_SECRET`]) === Boolean(given[`${prefix}_CLIENT_KEY_FILE`])
        ? [`${prefix}_CLIENT_SECRET: either it or ${prefix}_CLIENT_KEY_FILE is required with ${one}`]
        : []),
    ];
  });
  if (given.OIDC_REFERRER_CREATE === "on" && !given.OIDC_REFERRER_CREATE_CLINIC)
    errors.push("OIDC_REFERRER_CREATE_CLINIC: is required with OIDC_REFERRER_CREATE=on: the number of a clinic");
  const off = given.PASSWORD_SIGN_IN;
  if ((off === "staff-off" || off === "off") && !given.OIDC_STAFF_ISSUER)
    errors.push(`OIDC_STAFF_ISSUER: is required with PASSWORD_SIGN_IN=${off}, or nobody of the clinic gets in`);
  if (off === "off" && !given.OIDC_REFERRER_ISSUER)
    errors.push("OIDC_REFERRER_ISSUER: is required with PASSWORD_SIGN_IN=off, or no referrer gets in");
  return errors;
}

type Values = z.output<z.ZodObject<typeof identityProviderFields>> & Record<string, unknown>;

export const signInSettingsOf = (given: Values): SignInSettings => ({
  staff: providerOf(given, "OIDC_STAFF"),
  referrers: providerOf(given, "OIDC_REFERRER"),
  password: given.PASSWORD_SIGN_IN,
  newReferrersClinicId: given.OIDC_REFERRER_CREATE === "on" ? (given.OIDC_REFERRER_CREATE_CLINIC ?? null) : null,
});

function providerOf(given: Values, prefix: "OIDC_STAFF" | "OIDC_REFERRER"): IdentityProviderSettings | null {
  const text = (name: string) => given[`${prefix}_${name}`] as string | undefined;
  if (text("ISSUER") === undefined) return null;
  const keyFile = text("CLIENT_KEY_FILE");
  return {
    issuer: text("ISSUER")!,
    clientId: text("CLIENT_ID")!,
    proof: keyFile === undefined ? { secret: text("CLIENT_SECRET")! } : { privateKey: readFileSync(keyFile, "utf8") },
    label: text("LABEL")!,
    scope: text("SCOPE")!,
    nameClaims: text("CLAIM")!.split("+"),
    acrValues: text("ACR")?.split(/\s+/) ?? [],
    rolesByGroup:
      prefix === "OIDC_STAFF" && given.OIDC_STAFF_GROUPS !== undefined ? groupsOf(given.OIDC_STAFF_GROUPS) : null,
  };
}

const groupsOf = (pairs: string) =>
  new Map(pairs.split(",").map((pair) => pair.split("=") as [string, "Admin" | "Surgeon"]));

/** `off`: no code is asked; `optional`: only of those who set one up; `required`: everybody must set one up first. */
export type SecondFactorRule = "off" | "optional" | "required";

export interface SecondFactorRules {
  staff: SecondFactorRule;
  referrers: SecondFactorRule;
}

const rule = z.enum(["off", "optional", "required"], "must be off, optional or required");

export const secondFactorFields = {
  // `staff` is the former name of `required`.
  SECOND_FACTOR: optional(z.preprocess((given) => (given === "staff" ? "required" : given), rule)),
  SECOND_FACTOR_REFERRERS: withDefault(rule, "optional"),
};

export const secondFactorOf = (
  e: z.output<z.ZodObject<typeof secondFactorFields>>,
  isProduction: boolean,
): SecondFactorRules => ({
  staff: e.SECOND_FACTOR ?? (isProduction ? "required" : "optional"),
  referrers: e.SECOND_FACTOR_REFERRERS,
});
