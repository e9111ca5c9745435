import type { Role } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { serverPaths } from "~/paths";

export function passwordLink(
  { adminOrigin, publicOrigin }: Pick<Portal["config"], "adminOrigin" | "publicOrigin">,
  { userName, roles, token }: { userName: string; roles: Role[]; token: string },
): string {
  const origin = can({ kind: "person", roles }, "site.staff") ? adminOrigin : publicOrigin;
  return `${origin}${serverPaths.resetPassword}?${new URLSearchParams({ userName, token }).toString()}`;
}
