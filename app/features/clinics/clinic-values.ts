interface ShownClinic {
  name: string;
  address: string;
  zip: string;
  city: string;
  email: string;
  phone: string;
  mobilePhone: string | null;
  status: number;
}

/** Values of the controls of a clinic's form; only those who may set the status have a control for it. */
export const clinicValues = (clinic: ShownClinic, setsStatus: boolean) => ({
  name: clinic.name,
  address: clinic.address,
  zip: clinic.zip,
  city: clinic.city,
  email: clinic.email,
  phone: clinic.phone,
  mobilePhone: clinic.mobilePhone ?? "",
  ...(setsStatus ? { status: String(clinic.status) } : {}),
});
