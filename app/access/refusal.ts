/** Reasons for refusing a request. `http/errors.ts` maps each to a status and a Danish text. */
export type RefusalName =
  | "notSignedIn"
  | "notAllowed"
  | "notInScope"
  | "conditionsNotAccepted"
  | "passwordMustChange"
  | "secondFactorMissing"
  | "invalid"
  | "conflict"
  | "otherPerson"
  | "wrongCredentials"
  | "wrongCode"
  | "codeNeeded"
  | "signInExpired"
  | "tooManyAttempts"
  | "tooBusy"
  | "accountUnknown"
  | "tokenInvalid"
  | "linkExpired"
  | "weakPassword"
  | "wrongCurrentPassword"
  | "userNameTaken"
  | "patientEmailTaken"
  | "otherClinic"
  | "fileRefused"
  | "fileTooLarge"
  | "textTooLong"
  | "fileMissing"
  | "filesNeeded"
  | "storeFull"
  | "storeAway"
  | "fileAltered"
  | "uploadBroken"
  | "formUnreadable"
  | "uploadUnfinished"
  | "tooManyUploads"
  | "alreadySent"
  | "callUpPlanned"
  | "emailMissing"
  | "stillAwaiting"
  | "stepNotReached"
  | "registerUnavailable"
  | "wrongMethod"
  | "wrongBody"
  | "addressNotAllowed";

export class Refusal extends Error {
  override readonly name: RefusalName;
  /** Danish sentence that replaces the standard text for this name. */
  readonly text: string | undefined;
  readonly fields: Record<string, string[]>;
  /** The page that shows the text when the form's own page no longer exists. */
  readonly to: string | undefined;

  readonly retryAfterSeconds: number | undefined;

  constructor(
    name: RefusalName,
    {
      text,
      fields = {},
      to,
      retryAfterSeconds,
    }: { text?: string; fields?: Record<string, string[]>; to?: string; retryAfterSeconds?: number } = {},
  ) {
    super(name);
    this.name = name;
    this.text = text;
    this.fields = fields;
    this.to = to;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
