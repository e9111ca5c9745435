import type { KeyGrant } from "./api-key-scopes";

/** Who asks. The worker, links and the portal's own jobs are actors like anyone and pass through `execute()` too. */
export type Role = "Admin" | "Surgeon" | "Secretary" | "Dentist Secretary" | "Dentist";

/** A person with an account, signed in or through an API key that writes in their name. A key has the rights of its scopes, never theirs. */
export interface Person {
  kind: "person" | "apiKey";
  /** The key's scopes; absent for a person who is signed in. */
  key?: KeyGrant;
  id: number;
  userName: string;
  firstName: string;
  lastName: string;
  email: string;
  roles: Role[];
  clinicIds: number[];
  primaryClinicId: number | null;
  /** Ids of users and clinics that were merged into theirs: rows not moved yet are in their scope too. */
  formerIds: number[];
  formerClinicIds: number[];
  lightEdition: boolean;
  /** The overview listens to keys, until they turn that off in their profile. */
  hasShortcuts: boolean;
  /** A dentist or secretary who has not accepted the newest conditions. */
  mustAcceptConditions: boolean;
  /** The password was assigned by somebody else: it only allows choosing a new one. */
  mustChangePassword: boolean;
  /** Staff who have no second factor yet, where it is required of them. */
  mustSetUpSecondFactor: boolean;
}

/** What a link lets a patient do: each has one purpose. */
export type LinkPurpose = "radiographLink" | "letterFilesLink" | "appointmentAnswer";

/** A patient, known by a link alone. */
export interface PatientToken {
  kind: "patientToken";
  referralId: number;
  purpose: LinkPurpose;
  /** Of a link to the files of one discharge letter. */
  letterNumber: number | null;
  /** Of a link to one appointment: `YYYY-MM-DD HH:MM` in Copenhagen. */
  operationMoment: string | null;
}

export interface System {
  kind: "system";
  /** The job, for the audit: `worker`, `demo`, `command`. */
  job: string;
}

export type Actor = Person | PatientToken | System | { kind: "anonymous" };

/** Any actor, or as much of a person as tells their roles. */
export type WithRoles = Exclude<Actor, Person> | Pick<Person, "kind" | "roles" | "key">;

/** Whether the actor has an account, signed in or through an API key. */
export const hasAccount = (actor: Actor): actor is Person => actor.kind === "person" || actor.kind === "apiKey";

export const personName = (person: Person) => `${person.firstName} ${person.lastName}`;
