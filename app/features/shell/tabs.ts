import { can, type Permission, type WithRoles } from "~/access/permissions";
import { paths } from "~/paths";

interface ManagementTab {
  to: string;
  label: string;
  labelForOthers?: string;
  icon?: "gear";
  permission: Permission;
  /** Beginning of the addresses of pages that belong to the tab. */
  alsoAt?: string;
}

export const tabs: readonly ManagementTab[] = [
  { to: paths.overview, label: "Oversigt", labelForOthers: "Oversigt over henvisninger", permission: "signedIn" },
  { to: paths.wizard, label: "Henvis", permission: "signedIn" },
  { to: paths.callUps, label: "Indkald", permission: "patientMessage.send" },
  { to: paths.sms, label: "SMS", permission: "patientMessage.send", alsoAt: paths.appointmentFiles },
  { to: paths.statistics, label: "Statistik", permission: "statistics.read" },
  { to: paths.drafts, label: "Kladde", permission: "referral.write" },
  { to: paths.dischargeLetters, label: "Udskrivningsbrev", permission: "referral.read" },
  { to: paths.profile, label: "Din profil", permission: "signedIn" },
  { to: paths.users, label: "Henvisere", permission: "directory.manage" },
  { to: paths.clinics, label: "Klinik", permission: "directory.manage" },
  { to: paths.logs, label: "Logs", permission: "delivery.readLogs" },
  { to: paths.parking, label: "Parkering", permission: "parking.manage" },
  { to: paths.settings, label: "Indstillinger", icon: "gear", permission: "settings.manage" },
];

/** Visible tabs with the current one marked. `newFormKey` is for the next referral. */
export function tabsFor(actor: WithRoles, pathname: string, newFormKey: string) {
  return tabs
    .filter((tab) => can(actor, tab.permission))
    .map(({ to, label, labelForOthers, icon, alsoAt }) => ({
      to: to === paths.wizard ? paths.newReferral(newFormKey) : to,
      label: can(actor, "referral.setStatus") ? label : (labelForOthers ?? label),
      current: [to, alsoAt].some((page) => page && (pathname === page || pathname.startsWith(`${page}/`))),
      icon,
    }));
}
