import type { SecondFactorRule, SecondFactorRules } from "~/config/second-factor-settings.server";
import { can, type Role } from "./permissions";

export const secondFactorRule = (rules: SecondFactorRules, roles: readonly Role[]): SecondFactorRule =>
  can({ kind: "person", roles: [...roles] }, "site.staff") ? rules.staff : rules.referrers;
