/** A patient as another system names them; what it leaves out is null. */
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
