/// <reference types="vite/client" />
import { isOperation, type Operation } from "~/access/operation.server";

const modules = import.meta.glob<Record<string, unknown>>(
  ["../../app/{features,files,lists}/**/*.server.{ts,tsx}", "../../app/routes/*/data.server.ts"],
  { eager: true },
);

export const declaredOperations: readonly Operation[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isOperation);
