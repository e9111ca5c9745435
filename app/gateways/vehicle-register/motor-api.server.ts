import { cleanLine } from "~/text/normalise";
import { codeOf, fetchOutside } from "../http/fetch-outside.server";
import type { VehicleAnswer, VehicleRegister } from "./port";

export interface MotorApiOptions {
  url: string;
  token: string;
  /** Milliseconds from question to complete answer. */
  answerWithin?: number;
  /** Milliseconds to wait after 429 without Retry-After. */
  restAfterTooMany?: number;
  now?: () => number;
}

const MAX_REST_MS = 24 * 60 * 60_000;

const unavailable = (detail: string): VehicleAnswer => ({ kind: "unavailable", detail });

/**
 * MotorAPI (motorapi.dk): `GET /vehicles/{plate}` with `X-AUTH-TOKEN` answers JSON or 404. Daily quota: after 429 it is
 * left alone for a while.
 */
export function createMotorApi({
  url,
  token,
  answerWithin = 3_000,
  restAfterTooMany = 15 * 60_000,
  now = Date.now,
}: MotorApiOptions): VehicleRegister {
  let restUntil = 0;
  return {
    label: "MotorAPI",
    isReal: true,
    async find(plate) {
      if (now() < restUntil) return unavailable("Køretøjsregistret har ikke flere opslag lige nu.");
      try {
        const response = await fetchOutside(`${url}/vehicles/${encodeURIComponent(plate)}`, {
          headers: { "X-AUTH-TOKEN": token, Accept: "application/json" },
          redirect: "manual",
          signal: AbortSignal.timeout(answerWithin),
        });
        if (response.status === 429) {
          const seconds = Number(response.headers.get("Retry-After"));
          restUntil = now() + (seconds > 0 ? Math.min(seconds * 1000, MAX_REST_MS) : restAfterTooMany);
        }
        if (response.status === 200) return readVehicle(await response.json());
        await response.body?.cancel();
        return response.status === 404 ? { kind: "notFound" } : unavailable(textOf(response.status));
      } catch (error) {
        return unavailable(unexpectedErrorDetail(error));
      }
    },
  };
}

function textOf(status: number): string {
  if (status === 429) return "Køretøjsregistret har ikke flere opslag lige nu.";
  if (status === 401 || status === 403) return `Køretøjsregistret afviser portalens nøgle (${status}).`;
  return `Køretøjsregistret melder fejl (${status}).`;
}

function unexpectedErrorDetail(error: unknown): string {
  if ((error as Error).name === "TimeoutError") return "Køretøjsregistret svarede ikke i tide.";
  if (error instanceof SyntaxError) return UNREADABLE;
  return `Der er ingen forbindelse til køretøjsregistret (${codeOf(error)}).`;
}

const UNREADABLE = "Køretøjsregistrets svar kunne ikke læses.";
const MAX_WORD = 60;

/** A car without a make is no answer; other fields may be empty. */
function readVehicle(answer: unknown): VehicleAnswer {
  const fields = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
  const word = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? cleanLine(value).slice(0, MAX_WORD) : "";
  };
  const vehicle = { make: word("make"), model: word("model"), color: word("color"), status: word("status") };
  return vehicle.make === "" ? unavailable(UNREADABLE) : { kind: "found", vehicle };
}
