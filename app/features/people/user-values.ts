interface ShownUser {
  isStaff: boolean;
  isSurgeon: boolean;
  isSecretary: boolean;
  firstName: string;
  lastName: string;
  userName: string;
  status: number;
  email: string;
  dentistExternalId: string | null;
  ediDentistId: string | null;
  phone: string | null;
  mobilePhone: string | null;
  /** Null for those who may not set it. */
  sendsEndingLettersViaEdi: boolean | null;
}

const ticked = (value: boolean) => (value ? "on" : "");

/** Values of the controls of a user's form, which has more fields for a referrer, and for staff who see one. */
export const userValues = (user: ShownUser) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  userName: user.userName,
  status: String(user.status),
  email: user.email,
  ...(user.isStaff ? { isSurgeon: ticked(user.isSurgeon) } : referrerValues(user)),
});

const referrerValues = (user: ShownUser) => ({
  isSecretary: ticked(user.isSecretary),
  dentistExternalId: user.dentistExternalId ?? "",
  phone: user.phone ?? "",
  mobilePhone: user.mobilePhone ?? "",
  ...(user.sendsEndingLettersViaEdi === null
    ? {}
    : {
        ediDentistId: user.ediDentistId ?? "",
        sendEndingLettersViaEdi: ticked(user.sendsEndingLettersViaEdi),
      }),
});
