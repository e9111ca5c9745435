import type { SecondFactorRule, SecondFactorRules } from "~/config/second-factor-settings.server";
import { can, type Role } from "./permissions";

/** What the second factor is to somebody with these roles: staff, who use the staff host, or everybody else, who refers. */
export const secondFactorRule = (rules: SecondFactorRules, roles: readonly Role[]): SecondFactorRule =>
  can({ kind: "person", roles: [...roles] }, "site.staff") ? rules.staff : rules.referrers;
