/** Why something was not done. The web side maps each name to a status and a Danish text, once, in `http/errors.ts`. */
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
  /** Danish sentence that replaces the table's, where the cause is more exact than the name. */
  readonly text: string | undefined;
  /** Form field → sentences. */
  readonly fields: Record<string, string[]>;
  /** The page that shows the text, when the page of the form that was sent does not exist any more. */
  readonly to: string | undefined;

  /** Of `tooManyAttempts` and `tooBusy`: when it may be tried again. */
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
