/** Shown to dentists who refer themselves, on either step. */
export const NOTIFY_ME = "Send mig en mail, når sagens status ændres";
export const NO_EMAIL_TEXT = "Henviseren har ingen e-mail, så der kan ikke sendes besked.";
