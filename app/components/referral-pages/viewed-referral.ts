import type { ReactNode } from "react";

export interface ViewedReferral {
  id: number;
  patientName: string;
  cpr: string;
  age: number | null;
  isUrgent: boolean;
  texts: { label: string; value: string }[];
  images: { id: number; name: string; typeLabel: string; uploadedOn: string; slices: number }[];
  /** Status form and the next referral; null for those who may not set a status. */
  triage: ReactNode;
}
