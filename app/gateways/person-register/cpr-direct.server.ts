import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { connect, createSecureContext, type SecureContext } from "node:tls";
import type { PersonAnswer, PersonRegister } from "./port";
import { cleanLine } from "~/text/normalise";

export interface CprDirectOptions extends CprCredentials {
  host: string;
  port: number;
  /** PEM of the register's CA; Node's list by default. */
  ca?: string;
  connectWithin?: number;
  /** Milliseconds from question to complete answer. */
  answerWithin?: number;
  /** Milliseconds to wait after a refused login, because CPR locks accounts after repeated refusals. */
  restAfterRefusal?: number;
  now?: () => number;
}

class NoAnswer extends Error {}

const LOGIN_REFUSED = 1;
const PASSWORD_EXPIRED = 2;
const LOG_IN_AGAIN = 7;

const errorTexts: Readonly<Record<number, string>> = {
  [LOGIN_REFUSED]: "CPR-registret afviser portalens brugernavn eller adgangskode.",
  [PASSWORD_EXPIRED]: "Portalens adgangskode til CPR-registret er udløbet.",
  4: "CPR-registret er lukket lige nu.",
  6: "CPR-registret kender ikke portalens kundenummer.",
  [LOG_IN_AGAIN]: "CPR-registret beder om nyt login igen og igen.",
  16: "CPR-registret giver ikke adgang fra portalens adresse.",
  99: "Portalens bruger har ikke adgang til opslaget i CPR-registret.",
};

const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * CPR Direkte PRIV over TLS. Each telegram has its own connection, which the register closes. The token is kept until
 * error 7 and renewed by a single login that concurrent look-ups share. @throws RangeError for too long credentials; an
 * Error for an invalid CA
 */
export function createCprDirect(options: CprDirectOptions): PersonRegister {
  const credentials = { customer: options.customer, user: options.user, password: options.password };
  requireFitting(credentials);
  if (options.ca !== undefined) requireCertificate(options.ca);
  const peer = { ...options, secureContext: createSecureContext({ ca: options.ca, minVersion: "TLSv1.2" }) };
  const now = options.now ?? Date.now;
  let token: string | null = null;
  let login: Promise<string> | null = null;
  let refusal: { text: string; until: number } | null = null;

  async function logIn(): Promise<string> {
    if (refusal !== null && now() < refusal.until) throw new NoAnswer(refusal.text);
    const answer = readLogin(await exchange(peer, loginTelegram(credentials), isWholeLogin));
    if (answer.kind === "token") {
      refusal = null;
      return (token = answer.token);
    }
    if (answer.kind === "unreadable") throw unreadable();
    if (answer.code === LOGIN_REFUSED || answer.code === PASSWORD_EXPIRED) {
      refusal = { text: textOf(answer.code), until: now() + (options.restAfterRefusal ?? 10 * 60_000) };
    }
    throw new NoAnswer(textOf(answer.code));
  }

  function renewedToken(stale: string | null): Promise<string> {
    if (token !== null && token !== stale) return Promise.resolve(token);
    login ??= logIn().finally(() => (login = null));
    return login;
  }

  async function ask(withToken: string, tenDigits: string): Promise<QueryAnswer> {
    return readPerson(await exchange(peer, queryTelegram(credentials, withToken, tenDigits), isWholePerson), tenDigits);
  }

  return {
    label: "CPR-registret",
    isReal: true,
    async find(cpr): Promise<PersonAnswer> {
      const tenDigits = cpr.replace("-", "");
      if (!/^\d{10}$/.test(tenDigits)) return { kind: "notFound" };
      try {
        const first = await renewedToken(null);
        let answer = await ask(first, tenDigits);
        if (answer.kind === "error" && answer.code === LOG_IN_AGAIN)
          answer = await ask(await renewedToken(first), tenDigits);
        if (answer.kind === "unreadable") throw unreadable();
        if (answer.kind !== "error") return answer;
        token = null;
        return { kind: "unavailable", detail: textOf(answer.code) };
      } catch (error) {
        if (error instanceof NoAnswer) return { kind: "unavailable", detail: error.message };
        throw error;
      }
    },
  };
}

function requireFitting({ customer, user, password }: CprCredentials): void {
  if (!/^\d{4}$/.test(customer)) throw new RangeError("The CPR customer number must be four digits");
  const fits = (value: string) => /^[\x21-\x7e\xa0-\xff]{1,8}$/.test(value);
  if (!fits(user)) throw new RangeError("The CPR user must be one to eight characters of latin1");
  if (!fits(password)) throw new RangeError("The CPR password must be one to eight characters of latin1");
}

/** Node ignores an unreadable CA, and every look-up would fail. */
function requireCertificate(pem: string): X509Certificate {
  return new X509Certificate(pem);
}

function textOf(code: number): string {
  return `${errorTexts[code] ?? "CPR-registret melder fejl."} (fejl ${code})`;
}

function unreadable(): NoAnswer {
  return new NoAnswer("CPR-registrets svar kunne ikke læses.");
}

/** Sends one telegram on its own connection. @returns the bytes received when `isWhole` or closed @throws NoAnswer */
function exchange(
  {
    host,
    port,
    secureContext,
    connectWithin = 5_000,
    answerWithin = 10_000,
  }: CprDirectOptions & { secureContext: SecureContext },
  telegram: Buffer,
  isWhole: (arrived: Buffer) => boolean,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, secureContext, servername: isIP(host) ? "" : host });
    let arrived = Buffer.alloc(0);
    const giveUp = (text: string) => {
      clearTimeout(timer);
      reject(new NoAnswer(text));
      socket.destroy();
    };
    const handOver = () => {
      clearTimeout(timer);
      resolve(arrived);
      socket.destroy();
    };
    let timer = setTimeout(() => giveUp("Der er ingen forbindelse til CPR-registret (for lang tid)."), connectWithin);
    socket.on("secureConnect", () => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp("CPR-registret svarede ikke i tide."), answerWithin);
      socket.write(telegram);
    });
    socket.on("data", (chunk: Buffer) => {
      arrived = Buffer.concat([arrived, chunk]);
      if (arrived.length > MAX_ANSWER_BYTES) giveUp("CPR-registrets svar kunne ikke læses.");
      else if (isWhole(arrived)) handOver();
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      giveUp(`Der er ingen forbindelse til CPR-registret (${error.code ?? "TLS"}).`),
    );
    socket.on("close", () => {
      if (arrived.length > 0) handOver();
      else giveUp("CPR-registret lukkede forbindelsen uden at svare.");
    });
  });
}

/* Telegrams of CPR Direkte PRIV: fixed width, latin1. Pure; never throws on peer data. */

interface CprCredentials {
  customer: string;
  user: string;
  password: string;
}

type LoginAnswer = { kind: "token"; token: string } | { kind: "error"; code: number } | { kind: "unreadable" };
type QueryAnswer = PersonAnswer | { kind: "error"; code: number } | { kind: "unreadable" };

const LOGIN_LENGTH = 24;
const HEADER_LENGTH = 28;
const RECORD_LENGTH = { start: 35, person: 469, end: 21 } as const;
const PERSON_AT = HEADER_LENGTH + RECORD_LENGTH.start;
const MIN_ANSWER_LENGTH = PERSON_AT + RECORD_LENGTH.person + RECORD_LENGTH.end;

const personField = {
  cpr: [3, 10],
  status: [22, 2],
  protectionDate: [70, 12],
  street: [218, 34],
  zip: [286, 4],
  district: [290, 20],
  firstName: [332, 50],
  lastName: [382, 40],
} as const;

const WITHDRAWN = ["30", "50", "60"];

/** 35 characters; the last eight, for a new password, are blank. */
export function loginTelegram({ customer, user, password }: CprCredentials): Buffer {
  return Buffer.from(`PRIV,${customer}90${user.padEnd(8)}${password.padEnd(8)}`.padEnd(35), "latin1");
}

/** 39 characters. @param tenDigits CPR number without dash */
export function queryTelegram({ customer, user }: CprCredentials, token: string, tenDigits: string): Buffer {
  return Buffer.from(`PRIV,${customer}06${token}${user.padEnd(8)}00${tenDigits}`, "latin1");
}

export function isWholeLogin(answer: Buffer): boolean {
  return answer.length >= LOGIN_LENGTH;
}

/** Reads the answer to a login; the token is eight characters and `unreadable` means neither token nor error code. */
export function readLogin(answer: Buffer): LoginAnswer {
  const code = errorCode(answer);
  if (code === null) return { kind: "unreadable" };
  if (code !== 0) return { kind: "error", code };
  const token = answer.toString("latin1", 6, 14);
  return /^[\x20-\x7e]{8}$/.test(token) && token.trim() !== "" ? { kind: "token", token } : { kind: "unreadable" };
}

/**
 * Whether the answer is complete: an error code, or record 999. Customers may have agreed on further records in
 * between.
 */
export function isWholePerson(answer: Buffer): boolean {
  const code = errorCode(answer);
  if (code !== 0) return code !== null || answer.length >= LOGIN_LENGTH;
  if (answer.length < MIN_ANSWER_LENGTH) return false;
  return /999.{10}\d{8}\s*$/.test(answer.toString("latin1", answer.length - RECORD_LENGTH.end - 2));
}

/** @param tenDigits the number asked for; an answer about another person is refused */
export function readPerson(answer: Buffer, tenDigits: string): QueryAnswer {
  const code = errorCode(answer);
  if (code === null) return { kind: "unreadable" };
  if (code === 5) return { kind: "notFound" };
  if (code !== 0) return { kind: "error", code };
  if (!isWholePerson(answer)) return { kind: "unreadable" };
  if (answer.toString("latin1", HEADER_LENGTH, HEADER_LENGTH + 3) !== "000") return { kind: "unreadable" };
  // Each record repeats kind and person, which detects a wrong field length.
  const next = answer.toString("latin1", PERSON_AT + RECORD_LENGTH.person, PERSON_AT + RECORD_LENGTH.person + 13);
  if (!next.startsWith("999") && next.slice(3) !== tenDigits) return { kind: "unreadable" };
  return readPersonRecord(answer.subarray(PERSON_AT, PERSON_AT + RECORD_LENGTH.person), tenDigits);
}

/** Fields that people see: a control character in one of them says that the answer is damaged. */
const SHOWN = ["firstName", "lastName", "street", "zip", "district"] as const;

function readPersonRecord(record: Buffer, tenDigits: string): QueryAnswer {
  const sent = (name: keyof typeof personField) => {
    const [at, length] = personField[name];
    return record.toString("latin1", at, at + length);
  };
  const field = (name: keyof typeof personField) => cleanLine(sent(name));
  const status = field("status");
  const readable = record.toString("latin1", 0, 3) === "001" && field("cpr") === tenDigits && /^\d\d$/.test(status);
  if (!readable) return { kind: "unreadable" };

  const person = {
    firstName: field("firstName"),
    lastName: field("lastName"),
    address: field("street"),
    zip: field("zip"),
    city: field("district"),
    status,
  };
  // Some agreements include protected names; a protection date decides.
  if (/[1-9]/.test(field("protectionDate"))) return { kind: "protected" };
  const isNameless = person.firstName === "" && person.lastName === "";
  if (isNameless && WITHDRAWN.includes(status)) return { kind: "notFound" };
  if (isNameless && person.address === "") return { kind: "protected" };
  if (isNameless || !/^(\d{4})?$/.test(person.zip) || SHOWN.some((name) => /\p{Cc}/u.test(sent(name))))
    return { kind: "unreadable" };
  return { kind: "found", ...person };
}

function errorCode(answer: Buffer): number | null {
  const digits = answer.toString("latin1", 22, 24);
  return /^\d\d$/.test(digits) ? Number(digits) : null;
}
