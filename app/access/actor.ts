/** The caller of an operation. The worker, links and jobs are actors too and pass through `execute()`. */
export type Role = "Admin" | "Surgeon" | "Secretary" | "Dentist Secretary" | "Dentist";

/** Who signs in where: the clinic's staff on the staff host, referrers on the public one. */
export type AccountGroup = "staff" | "referrers";

/** A person with an account, signed in or through an API key. A key has the rights of its scopes, not the person's. */
export interface Person {
  kind: "person" | "apiKey";
  key?: KeyGrant;
  id: number;
  userName: string;
  firstName: string;
  lastName: string;
  email: string;
  roles: Role[];
  clinicIds: number[];
  primaryClinicId: number | null;
  /** Ids of users and clinics merged into this person's: rows that have not been moved yet stay in their scope. */
  formerIds: number[];
  formerClinicIds: number[];
  lightEdition: boolean;
  hasShortcuts: boolean;
  goesOn: boolean;
  mustAcceptConditions: boolean;
  /** The password was assigned by somebody else, so the only thing allowed is choosing a new one. */
  mustChangePassword: boolean;
  mustSetUpSecondFactor: boolean;
}

export type LinkPurpose = "radiographLink" | "letterFilesLink" | "appointmentAnswer" | "caseLink";

export interface PatientToken {
  kind: "patientToken";
  referralId: number;
  purpose: LinkPurpose;
  /** Set only for a link to the files of one discharge letter. */
  letterNumber: number | null;
  /** Set only for a link to one appointment: `YYYY-MM-DD HH:MM` in Copenhagen. */
  operationMoment: string | null;
}

export interface System {
  kind: "system";
  job: string;
}

export type Actor = Person | PatientToken | System | { kind: "anonymous" };

export type WithRoles = Exclude<Actor, Person> | Pick<Person, "kind" | "roles" | "key">;

export const hasAccount = (actor: Actor): actor is Person => actor.kind === "person" || actor.kind === "apiKey";

export const personName = (person: Person) => `${person.firstName} ${person.lastName}`;

/** The scopes of API keys. None of them covers users, clinics, settings, keys, exports or logs, and none can write to patients. */
export const keyScopes = ["read", "refer", "messages", "appointments", "statistics"] as const;

export type KeyScope = (typeof keyScopes)[number];

export const writingScopes: readonly KeyScope[] = ["refer", "messages"];

/** Scopes of data that cannot be split by clinic, so a key of a single clinic cannot have them. */
export const scopesOfAllClinics: readonly KeyScope[] = ["appointments", "statistics"];

export interface KeyGrant {
  id: number;
  name: string;
  scopes: readonly KeyScope[];
  clinicId: number | null;
}

export const scopesIn = (stored: string): KeyScope[] =>
  keyScopes.filter((scope) => stored.split(",").some((each) => each === scope));
