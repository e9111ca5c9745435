export interface ReceivedPatient {
  /** `DDMMYY-XXXX` */
  cpr: string;
  firstName: string;
  lastName: string;
  profession: string | null;
  address: string | null;
  zip: string | null;
  city: string | null;
  phone: string | null;
  mobilePhone: string | null;
  email: string | null;
}
