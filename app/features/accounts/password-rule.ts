import type { AccountGroup, Role } from "~/access/actor";
import type { Site } from "~/access/caller";
import { can } from "~/access/permissions";
import type { Config } from "~/config/config.server";

const groups: Record<Site, AccountGroup[]> = {
  staff: ["staff"],
  public: ["referrers"],
  local: ["staff", "referrers"],
  inside: ["staff", "referrers"],
};

export const groupsOfSite = (site: Site): AccountGroup[] => groups[site];

export const groupOf = (roles: Role[]): AccountGroup =>
  can({ kind: "person", roles }, "site.staff") ? "staff" : "referrers";

const mayUsePassword = ({ signIn: { password } }: Pick<Config, "signIn">, group: AccountGroup): boolean =>
  password === "on" || (password === "staff-off" && group === "referrers");

export const maySignInByPassword = (config: Pick<Config, "signIn">, roles: Role[]): boolean =>
  mayUsePassword(config, groupOf(roles));

export const hasPasswordOn = (site: Site, config: Pick<Config, "signIn">): boolean =>
  groupsOfSite(site).some((group) => mayUsePassword(config, group));
