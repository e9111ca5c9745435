import type { ReactNode } from "react";

/** What the image viewer shows of the referral beside the image; the open referral hands it down to it. */
export interface ViewedReferral {
  id: number;
  patientName: string;
  cpr: string;
  age: number | null;
  isUrgent: boolean;
  /** What was asked for and found: the first two open, the others folded. */
  texts: { label: string; value: string }[];
  images: { id: number; name: string; typeLabel: string; uploadedOn: string; slices: number }[];
  /** Status and the way to the next referral; null for those who set none. */
  triage: ReactNode;
}
