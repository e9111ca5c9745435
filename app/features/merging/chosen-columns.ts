export const chosenColumns = {
  user: [
    "first_name",
    "last_name",
    "email",
    "phone",
    "mobile_phone",
    "status",
    "dentist_external_id",
    "edi_dentist_id",
    "send_ending_letters_via_edi",
  ],
  clinic: ["name", "email", "phone", "mobile_phone", "address", "zip", "city", "status"],
} as const;
