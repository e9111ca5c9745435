import { expect } from "vitest";
import { ConfigError, loadConfig } from "~/config/config.server";

/** Settings required in production. */
export const production = {
  NODE_ENV: "production",
  DATA_DIR: "/nowhere",
  APP_SECRET: "kT3vQ9xLm2Zr8WfJ6hYpD4sBnC7gAe5u",
  ADMIN_IP_ALLOW: "192.0.2.0/24",
  PARKING_IP_ALLOW: "192.0.2.0/24",
  ADMIN_ORIGIN: "https://klinik.eksempel.dk",
  PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk",
};

/** Lines of the configuration error. */
export function errorsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split("\n");
  }
}
