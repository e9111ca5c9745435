import { cleanLine } from "~/text/normalise";
import type { PersonAnswer } from "./port";

/** Telegrams of CPR Direkte PRIV: fixed width, latin1. Pure; never throws on peer data. */
export interface CprCredentials {
  customer: string;
  user: string;
  password: string;
}

export type LoginAnswer = { kind: "token"; token: string } | { kind: "error"; code: number } | { kind: "unreadable" };
export type QueryAnswer = PersonAnswer | { kind: "error"; code: number } | { kind: "unreadable" };

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

/** Withdrawn or replaced numbers. */
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
