/**
 * The token of a link; empty without one. Reading stops at the first character outside the alphabet, because mail and
 * SMS programs append punctuation.
 */
export function linkToken(query: URLSearchParams, name: "tk" | "token" = "tk"): string {
  return /^[\w-]*/.exec(query.get(name) ?? "")![0];
}

/** Addresses of the pages for patients, which have no script; apart from `paths`, which every page's script has whole. */
export const patientPaths = {
  appointmentAnswer: (token: string) => `/aftale?tk=${token}`,
  appointmentCancel: (token: string) => `/aftale?tk=${token}&afbud=1`,
  appointmentCalendar: (token: string) => `/aftale/tid.ics?tk=${token}`,
  patientCase: (token: string) => `/sag?tk=${token}`,
  patientRadiographs: (token: string) => `/xr?tk=${token}`,
  patientRadiograph: (fileId: number, token: string) => `/xr/fil/${fileId}?tk=${token}`,
  patientPicture: (fileId: number, token: string) => `/xr/vis/${fileId}?tk=${token}`,
  patientRadiographsZip: (token: string) => `/xr/alle.zip?tk=${token}`,
  patientLetter: (token: string) => `/dl?tk=${token}`,
  patientLetterZip: (token: string) => `/dl/alle.zip?tk=${token}`,
} as const;
