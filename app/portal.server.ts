import type { Logger } from "pino";
import type { Db, Tx } from "~db/connection.server";
import type { AccountGroup, Actor, Role } from "./access/actor";
import type { AuditTrail } from "./access/audit.server";
import type { DoorRefusals } from "./access/door-refusals.server";
import type { Secrets } from "./access/secrets.server";
import type { Cache } from "./cache/cache.server";
import type { Config } from "./config/config.server";
import type { HooksByKind, OutboxWriter } from "./features/delivery/port";
import type { Previews } from "./files/previews/preview.server";
import type { Readers } from "./files/reading/readers.server";
import type { EboksGateway } from "./gateways/eboks/port";
import type { EdiGateway, EdiInbox } from "./gateways/edi/port";
import type { BounceBox, EmailGateway } from "./gateways/email/port";
import type { FileStore } from "./gateways/file-store/port";
import type { IdentityProvider } from "./gateways/identity-provider/port";
import type { ImageArchiveGateway } from "./gateways/image-archive/port";
import type { LetterReports } from "./gateways/nets-share/port";
import type { PersonAnswer, PersonRegister } from "./gateways/person-register/port";
import type { PrintGateway } from "./gateways/print/port";
import type { SmsGateway } from "./gateways/sms/port";
import type { VehicleRegister } from "./gateways/vehicle-register/port";
import type { VirusScanner } from "./gateways/virus-scanner/port";
import type { Metrics } from "./metrics.server";
import type { ChangeContext } from "./access/operation-context.server";
import type { ReferralRow } from "./features/referrals/store/referral-store.server";

export interface Clock {
  now(): Date;
}

export interface Demo {
  accounts: { userName: string; role: Role; title: string; name: string; task: string }[];
  password: string;
  patients: { cpr: string; name: string }[];
  /** Answers of the embedded register about the patients of the demo's referrals, by CPR number. */
  register: ReadonlyMap<string, PersonAnswer>;
}

/** Everything operations need, opened once per process (`open-portal.server.ts`), and by tests with their own clock. */
export interface Portal {
  config: Config;
  db: Db;
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  audit: AuditTrail;
  doorRefusals: DoorRefusals;
  files: FileStore;
  readers: Readers;
  previews: Previews;
  scanner: VirusScanner;
  email: EmailGateway;
  sms: SmsGateway;
  eboks: EboksGateway;
  print: PrintGateway;
  edi: EdiGateway;
  imageArchive: ImageArchiveGateway;
  ediInbox: EdiInbox | null;
  letterReports: LetterReports | null;
  bounces: BounceBox | null;
  kindHooks: HooksByKind;
  referralHooks: ReferralHooks;
  metrics: Metrics;
  cache: Cache;
  pageViews: PageViews;
  personRegister: PersonRegister;
  vehicleRegister: VehicleRegister;
  /** Null where people of that group sign in with a password only. */
  identityProviders: Record<AccountGroup, IdentityProvider | null>;
  /** Null in production, and where the people are not the demo's. */
  demo: Demo | null;
  outboxIn(tx: Tx): OutboxWriter;
  close(): Promise<void>;
}

export interface PageViews {
  /**
   * Counts a shown page; `from` is the previous address. Tabs, opened rows and reloads after a form are not counted.
   * Neither person nor origin is stored.
   */
  count(operation: string, actor: Actor, from?: string | null): void;
  flush(): Promise<void>;
}

/** Actions of other features that a change of a referral starts; referrals do not import those features. */
interface ReferralHooks {
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
  /** Once, in the transaction in which the referral arrives. */
  sendCaseLink(
    context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">,
    row: ReferralRow,
  ): Promise<void>;
  /** Withdraws the times offered to the patient; returns how many. */
  withdrawOffers(context: Pick<ChangeContext, "tx" | "outbox" | "now">, of: { referralId: number }): Promise<number>;
}
